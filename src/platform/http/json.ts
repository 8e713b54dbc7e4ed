import { isUtf8 } from 'node:buffer';
import { parseExactly } from '../exact-json.ts';
import { messages } from '../problem.ts';
import { HttpProblem } from './errors.ts';

export const maxDepth = 32;

/**
 * In a body above 1 MiB. There is room for 100,000 identifiers. Without a limit, 16 MiB hold eight million values, which
 * take seconds to parse.
 */
const maxValues = 300_000;
const fewBytes = 1024 * 1024;

const parseError = (reason: string) => new HttpProblem(400, `JSON parse error - ${reason}`);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Stands for a number that would be changed. No field accepts it, and no store keeps it. */
export class Changed {
  /** The complaint about it. */
  readonly why: string;
  constructor(source: string) {
    const about = Number(source);
    if (about > Number.MAX_SAFE_INTEGER) this.why = messages.maximum(Number.MAX_SAFE_INTEGER);
    else if (about < Number.MIN_SAFE_INTEGER) this.why = messages.minimum(Number.MIN_SAFE_INTEGER);
    else this.why = 'The number has more digits than can be kept.';
  }
}

/**
 * Throws a 400 for nesting deeper than 32. A field called `__proto__` is dropped. No feature has one, and it
 * endangers code that copies the object.
 */
function checkNesting(value: unknown, depth = 1): void {
  if (typeof value !== 'object' || value === null || value instanceof Changed) return;
  if (depth > maxDepth) throw parseError(`nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) {
    for (const item of value) checkNesting(item, depth + 1);
    return;
  }
  Reflect.deleteProperty(value, '__proto__');
  for (const name in value) checkNesting(Reflect.get(value, name), depth + 1);
}

const [quote, backslash] = [0x22, 0x5c];
/** A comma, and the beginnings of a list and of an object: each of them brings one more value. */
const [comma, list, object] = [0x2c, 0x5b, 0x7b];

/** Throws a 400 for too many values, before any is made. */
function checkCount(bytes: Buffer): void {
  if (bytes.length <= fewBytes) return;
  let count = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) isText = !isText;
    else if (isText && byte === backslash) at += 1;
    else if (!isText && (byte === comma || byte === list || byte === object)) count += 1;
  }
  if (count > maxValues) throw parseError(`more than ${maxValues} values`);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'invalid');

/**
 * Parses JSON text in UTF-8, with or without a byte order mark. An empty text counts as `{}`, so that the complaint
 * names missing fields.
 */
export const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw parseError('invalid UTF-8');
  checkCount(bytes);
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = parseExactly(
      text.charCodeAt(0) === 0xfeff ? text.slice(1) : text,
      (source) => new Changed(source),
    );
  } catch (error) {
    throw parseError(reasonOf(error));
  }
  checkNesting(value);
  return value;
};
