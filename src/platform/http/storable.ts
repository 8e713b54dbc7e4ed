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

/**
 * Throws `Invalid`, nested as the input is, for text that cannot be stored, numbers that would be changed, and lists and
 * objects with too many parts. Leaves values with a separate reader to that reader. Source: docs/contract.md, section 1.
 */
export function assertStorable(schema: JsonSchema, input: unknown): void {
  const found = inspect(schema, input, { reported: 0 });
  if (!found) return;
  throw new Invalid(Array.isArray(found) ? { non_field_errors: found } : found);
}

function inspect(schema: JsonSchema | undefined, value: unknown, walk: Walk): Found {
  if (schema?.['~apart']) return undefined;
  const why = whyUnstorable(value) ?? whyOversized(schema, value);
  if (why !== undefined) {
    walk.reported += 1;
    return [why];
  }
  if (Array.isArray(value)) return inspectItems(schema?.items, value, walk);
  return isRecord(value) ? inspectFields(schema?.properties, value, walk) : undefined;
}

/** Its parts are then not looked at. */
const whyOversized = (schema: JsonSchema | undefined, value: unknown): string | undefined =>
  schema && typeof value === 'object' && value !== null ? whyTooMany(schema, value) : undefined;

function inspectItems(schema: JsonSchema | undefined, items: unknown[], walk: Walk): Found {
  let found: FieldMessages | undefined;
  for (let index = 0; index < items.length && walk.reported < maxReported; index += 1) {
    const inside = inspect(schema, items[index], walk);
    if (!inside) continue;
    found ??= {};
    found[index] = inside;
  }
  return found;
}

function inspectFields(
  schemas: JsonSchema['properties'] = {},
  fields: Record<string, unknown>,
  walk: Walk,
): Found {
  let found: FieldMessages | undefined;
  for (const name in fields) {
    if (walk.reported >= maxReported) break;
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    const inside = inspect(undefined, name, walk) ?? inspect(schema, fields[name], walk);
    if (!inside) continue;
    found ??= {};
    found[shortened(name)] = inside;
  }
  return found;
}
