import { TooMuchWork } from '../../../clients/filters/work.ts';
import { atOnceAfterFailure, atOnceAtFirst, nextAtOnce, searched } from '../../../mailings/chunk-size.ts';
import type { IdentifierField } from '../../../mailings/identifiers.ts';
import type { Context } from '../../../platform/context.ts';
import { invalid } from '../../../platform/problem.ts';
import { nothingSeen, type Seen, together } from './audience-parts.ts';
import { type Part, partOfEverybody, partOfList, type Question } from './audience-store.ts';

type IsOver = (seen: Seen) => boolean;

/** `cursor` is the last profile that was read, and `atOnce` the size of the next part. */
type Walked = { seen: Seen; cursor: string | null; isWhole: boolean; atOnce: number };

/** Searches the clients of a project in order, part by part. The first part is searched also without time. */
export async function searchEverybody(
  sql: Context['sql'],
  choice: Question,
  isOver: IsOver,
): Promise<Walked> {
  let walked: Walked = { seen: nothingSeen, cursor: null, isWhole: false, atOnce: atOnceAtFirst };
  do {
    const { seen, cursor, atOnce } = walked;
    const begunAt = performance.now();
    const { part, fitting } = await fittingPart(atOnce, (most) => partOfEverybody(sql, choice, cursor, most));
    walked = {
      seen: together(seen, part),
      cursor: part.cursor,
      isWhole: part.looked < fitting,
      atOnce: nextAtOnce(fitting, performance.now() - begunAt, searched),
    };
  } while (!walked.isWhole && !isOver(walked.seen));
  return walked;
}

type Listed = {
  field: IdentifierField;
  /** Each entry is one client. */
  named: readonly string[][];
  atOnce: number;
  isOver: IsOver;
};

/** `count` is the number of entries that were searched. */
export type Searched = { seen: Seen; count: number };

/** Searches the clients that a list names in the same way. */
export async function searchNamed(
  sql: Context['sql'],
  choice: Question,
  { field, named, atOnce: atFirst, isOver }: Listed,
): Promise<Searched> {
  let seen = nothingSeen;
  let count = 0;
  let atOnce = atFirst;
  while (count < named.length && (count === 0 || !isOver(seen))) {
    const begunAt = performance.now();
    const { part, fitting } = await fittingPart(atOnce, (most) =>
      partOfList(sql, choice, field, named.slice(count, count + most).flat()),
    );
    seen = together(seen, part);
    count = Math.min(named.length, count + fitting);
    atOnce = nextAtOnce(fitting, performance.now() - begunAt, searched);
  }
  return { seen, count };
}

type Fitting = { part: Part; fitting: number };

/** Reads this many, or as many as the filter's budget allows. Throws `Invalid` if one exceeds it. */
async function fittingPart(atOnce: number, look: (atOnce: number) => Promise<Part>): Promise<Fitting> {
  try {
    return { part: await look(atOnce), fitting: atOnce };
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    if (atOnce > 1) return fittingPart(atOnceAfterFailure(atOnce), look);
    throw invalid(
      'filter_chats',
      'The filter looks at too much of one client: use fewer or shorter conditions.',
    );
  }
}
