import type { Condition, Filter, Test } from '../clients/filters/filter.ts';

/**
 * The factor by which each character of an unbounded field counts in a filter's work. The other fields are short.
 */
export type FilterWork = { variables: number; attrs: number; tags: number };

export function workOf(filter: Filter): FilterWork {
  const work = { variables: 0, attrs: 0, tags: 0 };
  const add = (part: Filter): void => {
    if ('all' in part) part.all.forEach(add);
    else if ('any' in part) part.any.forEach(add);
    else addCondition(work, part);
  };
  add(filter);
  return work;
}

function addCondition(work: FilterWork, { subject, test }: Condition): void {
  if (subject.kind === 'value') work[subject.record] += costOf(test);
  // Whole tags are looked up in an index.
  if (subject.kind === 'tags' && test.lookup !== 'in' && test.lookup !== 'isnull') work.tags += costOf(test);
}

/** As PostgreSQL was measured: looking for one text in another may take the product of their lengths. */
function costOf(test: Test): number {
  switch (test.lookup) {
    case 'isnull':
    case 'in':
      return unpacking;
    case 'contains':
      return searching + Buffer.byteLength(test.value);
    case 'icontains':
      return folding + Buffer.byteLength(test.value);
    case 'iexact':
      return folding;
    default:
      return searching;
  }
}

/** A large value is unpacked for each condition. */
const unpacking = 2;
const searching = 8;
const folding = 32;
