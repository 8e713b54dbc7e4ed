import type { JsonValue } from '../platform/http/fields.ts';

/** What a JSON Pointer (RFC 6901) names in a value; undefined when there is nothing there. */
export function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  if (pointer === '') return value;
  if (!pointer.startsWith('/')) return undefined;
  let found: JsonValue | undefined = value;
  for (const token of pointer.slice(1).split('/')) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Array.isArray(found) ? found[Number(name)] : found[name];
  }
  return found;
}
