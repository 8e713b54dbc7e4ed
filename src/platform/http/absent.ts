import type { JsonSchema } from './explain.ts';
import { isRecord } from './json.ts';

/**
 * The input without optional fields that are null, where null counts as absent. Returns the input itself if it has
 * none.
 */
export function withoutNulls(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return withoutNullsIn(schema, value);
  if (!isRecord(value)) return value;
  const shape = shapeOf(schema);
  const { properties, required = [], additionalProperties } = shape;
  if (!properties) return value;
  // A stranger's object may have a hundred thousand other fields. Where they are ignored, they are not copied.
  const ignoresOthers = shape === schema && additionalProperties === undefined;
  const meant: Record<string, unknown> = ignoresOthers ? {} : { ...value };
  for (const [name, known] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) continue;
    const isMeaningless = value[name] === null && !required.includes(name) && !takesNull(known);
    if (isMeaningless) delete meant[name];
    else meant[name] = withoutNulls(known, value[name]);
  }
  return meant;
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
