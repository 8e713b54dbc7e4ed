import { type FieldMessages, Invalid, messages } from '../problem.ts';
import type { JsonSchema } from './explain.ts';
import { isRecord, Rounded } from './json.ts';

/** Enough to correct by; a body with 100,000 bad strings is answered in a few kilobytes all the same. */
const maxReported = 100;

/** PostgreSQL's text holds neither NUL nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Why nothing can store the text or number; undefined where it can be stored. */
export function whyUnstorable(value: unknown): string | undefined {
  if (value instanceof Rounded) {
    return value.isNegative
      ? messages.minimum(Number.MIN_SAFE_INTEGER)
      : messages.maximum(Number.MAX_SAFE_INTEGER);
  }
  if (typeof value !== 'string' || isStorable(value)) return undefined;
  return value.includes('\0') ? 'Null characters are not allowed.' : 'Surrogate characters are not allowed.';
}

type Walk = { reported: number };
type Found = string[] | FieldMessages | undefined;

/**
 * Throws `Invalid`, nested as the input is, for text that cannot be stored and integers that would be rounded. What the
 * schema gives to a reader of its own is left to that. Source: docs/contract.md, section 1.
 */
export function assertStorable(schema: JsonSchema, input: unknown): void {
  const found = inspect(schema, input, { reported: 0 });
  if (!found) return;
  throw new Invalid(Array.isArray(found) ? { non_field_errors: found } : found);
}

function inspect(schema: JsonSchema | undefined, value: unknown, walk: Walk): Found {
  if (schema?.['~apart']) return undefined;
  const why = whyUnstorable(value);
  if (why !== undefined) {
    walk.reported += 1;
    return [why];
  }
  if (Array.isArray(value)) return inspectItems(schema?.items, value, walk);
  return isRecord(value) ? inspectFields(schema?.properties, value, walk) : undefined;
}

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
    found[name] = inside;
  }
  return found;
}
