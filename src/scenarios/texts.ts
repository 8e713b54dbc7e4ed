import type { Facts } from '../filters/facts.ts';
import { namedFact, textIn } from '../filters/named-fact.ts';
import { groupNamedBy } from '../filters/promocode-names.ts';
import { fill } from '../lib/placeholders.ts';
import type { State } from './state.ts';

type Memory = Pick<State, 'variables' | 'codes'>;

/** The text with its placeholders filled: codes, then what the run remembers, then what is known of the client. */
export function written(
  text: string,
  memory: Memory,
  facts: Facts,
  encode = (value: string) => value,
): string {
  const filled = fill(text, (name) => {
    const value = valueNamed(name, memory, facts);
    return value === null ? null : encode(value.slice(0, longestValue).toWellFormed());
  });
  return filled.slice(0, longestText).toWellFormed();
}

/** Beyond what any messenger takes; a scenario that doubles a text in a circle gets no further. */
const longestValue = 16_384;
const longestText = 65_536;

/** An address: what is filled in cannot add to its path or query, but for a placeholder that it begins with. */
export function writtenAddress(text: string, memory: Memory, facts: Facts): string {
  const [lead = ''] = /^\{\{[^{}]+\}\}/.exec(text) ?? [];
  return written(lead, memory, facts) + written(text.slice(lead.length), memory, facts, encodeURIComponent);
}

function valueNamed(name: string, { variables, codes }: Memory, facts: Facts): string | null {
  const group = groupNamedBy(name);
  if (group !== null) return textIn(codes, group);
  return Object.hasOwn(variables, name) ? textIn(variables, name) : namedFact(facts, name);
}

/** The same for every text inside a JSON value. */
export function writtenWithin(value: unknown, memory: Memory, facts: Facts): unknown {
  if (typeof value === 'string') return written(value, memory, facts);
  if (Array.isArray(value)) return value.map((item) => writtenWithin(item, memory, facts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, writtenWithin(inside, memory, facts)]),
  );
}
