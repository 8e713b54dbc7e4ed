import type { JsonSchema } from './explain.ts';
import { isRecord } from './json.ts';

/**
 * The input without optional fields that are null, where null counts as absent. Returns the input itself if it has
 * none.
 */
export function withoutNulls(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return withoutNullsIn(schema, value);
  if (!isRecord(value)) return value;
  const { properties = {}, required = [] } = shapeOf(schema);
  const dropped = (name: string, field: unknown): boolean => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return field === null && known !== undefined && !required.includes(name) && !takesNull(known);
  };
  const kept = Object.entries(value).filter(([name, field]) => !dropped(name, field));
  const fields = kept.map(([name, field]): [string, unknown] => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, known ? withoutNulls(known, field) : field];
  });
  return Object.fromEntries(fields);
}

function withoutNullsIn({ items }: JsonSchema, list: unknown[]): unknown[] {
  return items ? list.map((item) => withoutNulls(items, item)) : list;
}

/** Among several shapes, that of an object. */
const shapeOf = (schema: JsonSchema): JsonSchema =>
  schema.anyOf?.find((shape) => shape.properties !== undefined) ?? schema;

const takesNull = ({ type, anyOf }: JsonSchema): boolean => {
  if (anyOf) return anyOf.some(takesNull);
  return type === undefined || [type].flat().includes('null');
};
