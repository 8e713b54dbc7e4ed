import type { JsonValue } from '../platform/http/fields.ts';

/** The part of a value that a JSON Pointer (RFC 6901) names. Undefined when it is missing. */
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
