import type { Filter } from '../clients/filters/filter.ts';
import { parseFilter } from '../clients/filters/parse.ts';

/** Versions never change: a case is parsed when its version is, and no more while that is kept. */
const parsed = new WeakMap<object, Filter>();

/** The filter of a case of a branch. Throws `Invalid`. */
export function filterOf(when: object): Filter {
  const known = parsed.get(when);
  if (known) return known;
  const filter = parseFilter(when, 'when');
  parsed.set(when, filter);
  return filter;
}
