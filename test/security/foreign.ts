import { randomInt, randomUUID } from 'node:crypto';
import { isUuid } from '../../src/platform/id.ts';
import { type Row, wordsIn } from './rows.ts';

export type Form = 'uuid' | 'number' | 'text';

/** A name of an object in a project, and a twin of the same form that names nothing anywhere. */
export type Foreign = { text: string; twin: string; form: Form; column: string };

/**
 * The names in a project's rows by which an attacker could try to reach them. `hushed` are its people's texts, which
 * must stay secret. Words that another project has as well, for example a platform's name, are neither.
 */
export function foreign(rows: Row[], common: Set<string>): { named: Foreign[]; hushed: string[] } {
  const columnOf = new Map<string, string>();
  for (const { table, json } of rows) {
    for (const [column, value] of Object.entries(json)) {
      for (const word of wordsIn(value))
        if (!common.has(word) && !isNoName(word) && column !== 'written_by')
          columnOf.set(word, `${table}.${column}`);
    }
  }
  const words = [...columnOf.keys()];
  // Two words with one twin would differ: an attack makes some objects by the name of one word and of its twin.
  const taken = new Set([...common, ...words]);
  return {
    named: words
      .filter((word) => !word.includes('hush-'))
      .map((text) => ({
        text,
        twin: twinOf(text, taken),
        form: formOf(text),
        column: columnOf.get(text) ?? '',
      })),
    hushed: words.filter((word) => word.includes('hush-')),
  };
}

/**
 * Hashes, sealed values, moments, and words that are too short to reveal anything. Transaction numbers belong to the
 * database.
 */
const isNoName = (word: string): boolean => /^\\x|^\$argon2|^\d{4}-\d\d-\d\dT|^.{1,3}$/.test(word);

/** Whether an answer has the name. The digits of a number may also stand in a random uuid. */
export const isIn = (answer: string, { text, form }: Foreign): boolean =>
  form === 'number' ? new RegExp(`(?<![\\da-f])${text}(?![\\da-f])`).test(answer) : answer.includes(text);

export function formOf(text: string): Form {
  if (isUuid(text)) return 'uuid';
  return /^\d+$/.test(text) ? 'number' : 'text';
}

/** Takes a twin that nothing is named by. */
function twinOf(text: string, taken: Set<string>): string {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const twin = alike(text);
    if (taken.has(twin)) continue;
    taken.add(twin);
    return twin;
  }
  throw new Error(`every twin of ${text} is taken`);
}

function alike(text: string): string {
  if (isUuid(text)) return text.slice(0, 14) + randomUUID().slice(14);
  // Of the same country or kind, and different from all numbers in the projects.
  if (/^\+?\d+$/.test(text)) return text.slice(0, -2) + randomInt(50, 100);
  return text.replace(/[a-z]/g, () => letter()).replace(/\d/g, () => String(randomInt(10)));
}

const letter = (): string => String.fromCharCode(randomInt(97, 123));
