import type { Filter } from '../clients/filters/filter.ts';
import { parseFilter } from '../clients/filters/parse.ts';

/** Versions never change: a case is parsed once for as long as its version is cached. */
const parsed = new WeakMap<object, Filter>();

/** The filter of a case of a branch. Throws `Invalid`. */
export function filterOf(when: object): Filter {
  const known = parsed.get(when);
  if (known) return known;
  const filter = parseFilter(when, 'when');
  parsed.set(when, filter);
  return filter;
}
