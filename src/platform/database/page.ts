import { nearerEnd, type Slice } from '../outbound/nearer-end.ts';
import type { Fragment } from './database.ts';
import type { Sql } from './pool.ts';

/**
 * The ids of a page, as an array: of `count` rows, which `rows` selects as `id`, the newest first. They are found in an
 * index alone and from the nearer end, which makes a far page cheap.
 */
export function idsOfPage(sql: Sql, rows: Fragment, count: number, page: Slice): Fragment {
  const { limit, offset, fromOldest } = nearerEnd(count, page);
  return sql`array(${rows} order by id ${fromOldest ? sql`asc` : sql`desc`} limit ${limit} offset ${offset})`;
}
