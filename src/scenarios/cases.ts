import { audienceNamedBy } from '../clients/audiences/rules.ts';
import type { Filter } from '../clients/filters/filter.ts';
import { parseFilter } from '../clients/filters/parse.ts';

/** Versions never change: a case is parsed once for as long as its version is cached. */
const parsed = new WeakMap<object, Filter>();

const nobody: Filter = { any: [] };

/** The filter of a case of a branch. A named audience is filled in before, or is not there. Throws `Invalid`. */
export function filterOf(when: object): Filter {
  const known = parsed.get(when);
  if (known) return known;
  const filter = audienceNamedBy(when) === null ? parseFilter(when, 'when') : nobody;
  parsed.set(when, filter);
  return filter;
}
