import { nearerEnd, type Slice } from '../outbound/nearer-end.ts';
import type { Fragment } from './database.ts';
import type { Sql } from './pool.ts';

/**
 * The ids of a page as an array, newest first. `rows` selects `count` rows as `id`. An index-only scan from the
 * nearer end finds them, which makes far pages cheap.
 */
export function idsOfPage(sql: Sql, rows: Fragment, count: number, page: Slice): Fragment {
  const { limit, offset, fromOldest } = nearerEnd(count, page);
  return sql`array(${rows} order by id ${fromOldest ? sql`asc` : sql`desc`} limit ${limit} offset ${offset})`;
}
