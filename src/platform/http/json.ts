import { isUtf8 } from 'node:buffer';
import { parseEachNumber, survey, wouldChange } from '../exact-json.ts';
import { messages } from '../problem.ts';
import { HttpProblem } from './errors.ts';

export const maxDepth = 32;

/** There is room for 100,000 identifiers. Without a limit, 16 MiB hold eight million values, which take seconds. */
const maxValues = 300_000;
/** Each of them is looked at. */
const maxLongNumbers = 10_000;
/** A body with a number that would be changed has no more values: it is read value by value. */
const maxValuesBesideChanged = 10_000;
const shownOfNumber = 40;

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

/** Parses a text whose cost is linear and small for each byte. Throws a 400 for any other. */
function parseCheaply(text: string): unknown {
  const { values, longNumbers } = survey(text);
  if (values > maxValues) throw parseError(`more than ${maxValues} values`);
  if (longNumbers.length > maxLongNumbers) throw parseError(`more than ${maxLongNumbers} long numbers`);
  const changed = longNumbers.find(wouldChange);
  if (changed === undefined) return parsed(() => JSON.parse(text));
  if (values <= maxValuesBesideChanged) {
    return parsed(() => parseEachNumber(text, (source) => new Changed(source)));
  }
  throw parseError(`the number ${changed.slice(0, shownOfNumber)} cannot be kept`);
}

function parsed(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    throw parseError(reasonOf(error));
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'invalid');

/**
 * Parses JSON text in UTF-8, with or without a byte order mark. An empty text counts as `{}`, so that the complaint
 * names missing fields.
 */
export const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw parseError('invalid UTF-8');
  const text = bytes.toString('utf8');
  const value = parseCheaply(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  checkNesting(value);
  return value;
};
