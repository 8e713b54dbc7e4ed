import { type FieldMessages, Invalid } from '../problem.ts';
import { type JsonSchema, shortened, whyTooMany } from './explain.ts';
import { Changed, isRecord } from './json.ts';

/** Enough for a correction. The answer to 100,000 bad strings has a few kilobytes. */
const maxReported = 100;

/** PostgreSQL's text holds neither NUL nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** The reason why the text or number cannot be stored. Undefined if it can. */
export function whyUnstorable(value: unknown): string | undefined {
  if (value instanceof Changed) return value.why;
  if (typeof value !== 'string' || isStorable(value)) return undefined;
  return value.includes('\0') ? 'Null characters are not allowed.' : 'Surrogate characters are not allowed.';
}

type Walk = { reported: number };
type Found = string[] | FieldMessages | undefined;

/** In place of a value that the picked input does not have. */
const unpicked = Symbol('unpicked');

/**
 * Throws `Invalid`, nested as the input is, for text that cannot be stored, numbers that would be changed, and lists and
 * objects with too many parts. Leaves values with a separate reader to that reader. Source: docs/contract.md, section 1.
 * @param picked The input without the fields that are ignored. Their numbers may be any.
 */
export function assertStorable(schema: JsonSchema, input: unknown, picked: unknown): void {
  const found = inspect(schema, input, picked, { reported: 0 });
  if (!found) return;
  throw new Invalid(Array.isArray(found) ? { non_field_errors: found } : found);
}

function inspect(schema: JsonSchema | undefined, value: unknown, picked: unknown, walk: Walk): Found {
  if (schema?.['~apart']) return undefined;
  if (value instanceof Changed && picked === unpicked) return undefined;
  const why = whyUnstorable(value) ?? whyOversized(schema, value);
  if (why !== undefined) {
    walk.reported += 1;
    return [why];
  }
  if (Array.isArray(value)) return inspectItems(schema?.items, value, picked, walk);
  return isRecord(value) ? inspectFields(schema?.properties, value, picked, walk) : undefined;
}

/** Its parts are then not looked at. */
const whyOversized = (schema: JsonSchema | undefined, value: unknown): string | undefined =>
  schema && typeof value === 'object' && value !== null ? whyTooMany(schema, value) : undefined;

function inspectItems(schema: JsonSchema | undefined, items: unknown[], picked: unknown, walk: Walk): Found {
  let found: FieldMessages | undefined;
  for (let index = 0; index < items.length && walk.reported < maxReported; index += 1) {
    const inside = inspect(schema, items[index], Array.isArray(picked) ? picked[index] : unpicked, walk);
    if (!inside) continue;
    found ??= {};
    found[index] = inside;
  }
  return found;
}

function inspectFields(
  schemas: JsonSchema['properties'] = {},
  fields: Record<string, unknown>,
  picked: unknown,
  walk: Walk,
): Found {
  let found: FieldMessages | undefined;
  for (const name in fields) {
    if (walk.reported >= maxReported) break;
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    const kept = isRecord(picked) && Object.hasOwn(picked, name) ? picked[name] : unpicked;
    const inside = inspect(undefined, name, name, walk) ?? inspect(schema, fields[name], kept, walk);
    if (!inside) continue;
    found ??= {};
    found[shortened(name)] = inside;
  }
  return found;
}
