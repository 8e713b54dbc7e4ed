import { isUtf8 } from 'node:buffer';
import { parseExactly } from '../exact-json.ts';
import { type FieldMessages, Invalid, messages } from '../problem.ts';
import { HttpProblem } from './errors.ts';

export const maxDepth = 32;
/** Enough for a correction. The answer to 100,000 bad strings has a few kilobytes. */
const maxReported = 100;

const parseError = (reason: string) => new HttpProblem(400, `JSON parse error - ${reason}`);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** PostgreSQL's text holds neither NUL nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const complaintAbout = (text: string): string[] =>
  text.includes('\0') ? ['Null characters are not allowed.'] : ['Surrogate characters are not allowed.'];

type Walk = { reported: number };

/** Stands for an integer whose digits would be lost. No field accepts it, and no store keeps it. */
class Rounded {
  readonly isNegative: boolean;
  constructor(source: string) {
    this.isNegative = source.startsWith('-');
  }
}

const complaintAboutRounded = ({ isNegative }: Rounded): string[] => [
  isNegative ? messages.minimum(Number.MIN_SAFE_INTEGER) : messages.maximum(Number.MAX_SAFE_INTEGER),
];

const inspect = (value: unknown, depth: number, walk: Walk): string[] | FieldMessages | undefined => {
  if (value instanceof Rounded) {
    walk.reported += 1;
    return complaintAboutRounded(value);
  }
  if (typeof value === 'string') {
    if (isStorable(value)) return undefined;
    walk.reported += 1;
    return complaintAbout(value);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > maxDepth) throw parseError(`nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) return inspectItems(value, depth, walk);
  return isRecord(value) ? inspectFields(value, depth, walk) : undefined;
};

const inspectItems = (items: unknown[], depth: number, walk: Walk): FieldMessages | undefined => {
  let found: FieldMessages | undefined;
  for (let index = 0; index < items.length && walk.reported < maxReported; index += 1) {
    const inside = inspect(items[index], depth + 1, walk);
    if (!inside) continue;
    found ??= {};
    found[index] = inside;
  }
  return found;
};

/** A field called `__proto__` is dropped. No feature has one, and it endangers code that copies the object. */
const inspectFields = (
  fields: Record<string, unknown>,
  depth: number,
  walk: Walk,
): FieldMessages | undefined => {
  let found: FieldMessages | undefined;
  for (const key in fields) {
    if (walk.reported >= maxReported) break;
    if (key === '__proto__') {
      Reflect.deleteProperty(fields, key);
      continue;
    }
    const inside = inspect(key, depth, walk) ?? inspect(fields[key], depth + 1, walk);
    if (!inside) continue;
    found ??= {};
    found[key] = inside;
  }
  return found;
};

/**
 * Checks outside input in one walk. Throws `Invalid`, nested as the input is, for text that cannot be stored and
 * integers that would be rounded. Nesting deeper than 32 is a 400. Source: docs/contract.md, section 1.
 */
export const assertStorable = (input: unknown): void => {
  const found = inspect(input, 1, { reported: 0 });
  if (!found) return;
  throw new Invalid(Array.isArray(found) ? { non_field_errors: found } : found);
};

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'invalid');

/**
 * Parses JSON text in UTF-8, with or without a byte order mark. An empty text counts as `{}`, so that the complaint
 * names missing fields.
 */
export const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw parseError('invalid UTF-8');
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = parseExactly(
      text.charCodeAt(0) === 0xfeff ? text.slice(1) : text,
      (digits) => new Rounded(digits),
    );
  } catch (error) {
    throw parseError(reasonOf(error));
  }
  assertStorable(value);
  return value;
};
