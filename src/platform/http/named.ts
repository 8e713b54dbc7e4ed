import type { JsonSchema } from './explain.ts';
import { isRecord } from './json.ts';

/**
 * The input without the fields that its schema does not name. An action may spread its input beside values of its own,
 * and a caller's field of such a name would replace them. Returns the input itself if the schema names all fields.
 */
export function onlyNamed(schema: JsonSchema, value: unknown): unknown {
  if (schema['~apart']) return value;
  const shapes = schema.anyOf ?? [schema];
  if (Array.isArray(value)) return onlyNamedIn(shapes.find(({ items }) => items)?.items, value);
  if (!isRecord(value) || shapes.some(isOpen)) return value;
  return onlyNamedOf(Object.assign({}, ...shapes.map(({ properties }) => properties)), value);
}

/** Whether an object of this shape has other fields on purpose, or is refused for them. */
const isOpen = ({ type, properties, additionalProperties, '~apart': apart }: JsonSchema): boolean =>
  apart === true ||
  additionalProperties !== undefined ||
  (properties === undefined && (type === undefined || [type].flat().includes('object')));

function onlyNamedIn(schema: JsonSchema | undefined, list: unknown[]): unknown {
  if (!schema) return list;
  const named = list.map((item) => onlyNamed(schema, item));
  return named.some((item, index) => item !== list[index]) ? named : list;
}

function onlyNamedOf(properties: Record<string, JsonSchema>, value: Record<string, unknown>): unknown {
  const named: [string, unknown][] = [];
  let isSame = true;
  for (const [name, inside] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const kept = schema && onlyNamed(schema, inside);
    isSame &&= schema !== undefined && kept === inside;
    if (schema) named.push([name, kept]);
  }
  return isSame ? value : Object.fromEntries(named);
}
