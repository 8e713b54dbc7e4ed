import type { Facts } from '../clients/filters/facts.ts';
import { namedFact, textIn } from '../clients/filters/named-fact.ts';
import { groupNamedBy } from '../clients/filters/promocode-names.ts';
import { spend, TooMuchWork, type Work } from '../clients/filters/work.ts';
import { fill, longestFilled } from '../platform/placeholders.ts';
import { secretNamedBy } from './secret-names.ts';
import type { State } from './state.ts';

type Memory = Pick<State, 'variables' | 'codes'>;

/** The sources of a text's values, and the budget for filling it. */
export type Known = {
  readonly memory: Memory;
  readonly facts: Facts;
  readonly work: Work;
  /** Only a request has secrets. */
  readonly secretFor?: (name: string) => string;
};

/**
 * The text with its placeholders filled: from codes, then the run's variables, then the facts about the client.
 * Throws `TooMuchWork`, also for a longer text than any messenger accepts.
 */
export function written(text: string, known: Known, encode = (value: string) => value): string {
  const filled = fill(text, (name) => {
    const value = valueNamed(name, known);
    return value === null ? null : encode(value.toWellFormed());
  });
  spend(known.work, (text.length + filled.length) * costOfWriting);
  if (filled.length > longestFilled) throw new TooMuchWork('a text has become too long');
  return filled.toWellFormed();
}

/** Writing a character costs as much as reading this many. */
const costOfWriting = 10;

/** An address. Filled values cannot add to its path or query, except in a leading placeholder. */
export function writtenAddress(text: string, known: Known): string {
  const { lead, rest } = addressParts(text, known);
  return lead + rest;
}

/**
 * The address of a request. Null if filled values make `.` or `..` of a part of its path: no encoding keeps these in
 * their place.
 */
export function writtenTarget(text: string, known: Known): string | null {
  const { lead, rest, template } = addressParts(text, known);
  return dotSegmentsIn(rest) > dotSegmentsIn(template) ? null : lead + rest;
}

/** A leading placeholder and the rest, both filled. `template` is the rest as it was. */
function addressParts(text: string, known: Known): { lead: string; rest: string; template: string } {
  const [lead = ''] = /^\{\{[^{}]+\}\}/.exec(text) ?? [];
  const template = text.slice(lead.length);
  return { lead: written(lead, known), rest: written(template, known, encodeURIComponent), template };
}

/** Many servers decode a slash before they resolve these parts. */
function dotSegmentsIn(address: string): number {
  const [path = ''] = address.split(/[?#]/, 1);
  return path.split(/[/\\]|%2f|%5c/i).filter((segment) => segment === '.' || segment === '..').length;
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
