import type { Facts } from '../clients/filters/facts.ts';
import { namedFact, textIn } from '../clients/filters/named-fact.ts';
import { groupNamedBy } from '../clients/filters/promocode-names.ts';
import { spend, type Work } from '../clients/filters/work.ts';
import { fill, longestFilled } from '../platform/placeholders.ts';
import { secretNamedBy } from './secret-names.ts';
import type { State } from './state.ts';

type Memory = Pick<State, 'variables' | 'codes'>;

/** What texts are filled from, and at whose expense. */
export type Known = {
  readonly memory: Memory;
  readonly facts: Facts;
  readonly work: Work;
  /** Only a request knows some. */
  readonly secretFor?: (name: string) => string;
};

/**
 * The text with its placeholders filled: codes, then what the run remembers, then what is known of the client. Throws
 * `TooMuchWork`.
 */
export function written(text: string, known: Known, encode = (value: string) => value): string {
  const filled = fill(text, (name) => {
    const value = valueNamed(name, known);
    return value === null ? null : encode(value.slice(0, longestValue).toWellFormed());
  });
  spend(known.work, (text.length + filled.length) * costOfWriting);
  return filled.slice(0, longestFilled).toWellFormed();
}

/** A scenario that doubles a text in a circle gets no further. */
const longestValue = 16_384;
/** A character that is written costs as much as so many that are looked at. */
const costOfWriting = 10;

/** An address: what is filled in cannot add to its path or query, but for a placeholder that it begins with. */
export function writtenAddress(text: string, known: Known): string {
  const [lead = ''] = /^\{\{[^{}]+\}\}/.exec(text) ?? [];
  return written(lead, known) + written(text.slice(lead.length), known, encodeURIComponent);
}

function valueNamed(name: string, { memory: { variables, codes }, facts, secretFor }: Known): string | null {
  const secret = secretNamedBy(name);
  if (secret !== null) return secretFor?.(secret) ?? null;
  const group = groupNamedBy(name);
  if (group !== null) return textIn(codes, group);
  return Object.hasOwn(variables, name) ? textIn(variables, name) : namedFact(facts, name);
}

/** The same for every text inside a JSON value. */
export function writtenWithin(value: unknown, known: Known): unknown {
  if (typeof value === 'string') return written(value, known);
  if (Array.isArray(value)) return value.map((item) => writtenWithin(item, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, writtenWithin(inside, known)]),
  );
}
