import { groupsPage } from '../../../clients/promocodes/groups-store.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { rowCount } from '../../../platform/database/row-counts.ts';
import type { Slice } from '../../../platform/outbound/nearer-end.ts';
import type { StockedGroup } from './schema.ts';

/** Expired codes are counted up to this number. */
const mostLapsed = 10_000;

type Counts = { id: string; available: number; issued: number; lapsed: number };

/** The number of codes in these groups, by group. */
export async function stockOf(
  sql: Sql,
  projectId: string,
  groups: readonly { id: string; name: string }[],
  now: Date,
): Promise<StockedGroup[]> {
  const counted = (status: 'AVAILABLE' | 'ISSUED') =>
    rowCount(sql, projectId, 'promocodes', sql`wanted.id || ${` ${status}`}::text`);
  const rows = await sql<Counts[]>`
    select id, ${counted('AVAILABLE')} as available, ${counted('ISSUED')} as issued, (
      select count(*)::int from (
        select from promocodes
        where project_id = ${projectId} and group_id = wanted.id and status = 'AVAILABLE'
          and coalesce(expires_at, 'infinity'::timestamptz) <= ${now}
        limit ${mostLapsed}
      ) as lapsed
    ) as lapsed
    from unnest(${groups.map(({ id }) => id)}::uuid[]) as wanted (id)`;
  const counts = new Map(rows.map((row) => [row.id, row]));
  return groups.map(({ id, name }) => {
    const { available = 0, issued = 0, lapsed = 0 } = counts.get(id) ?? {};
    return { uuid: id, name, available: Math.max(0, available - lapsed), lapsed, issued };
  });
}

/** Newest first, of `count` groups. */
export async function stockedGroups(
  sql: Sql,
  projectId: string,
  count: number,
  page: Slice,
  now: Date,
): Promise<StockedGroup[]> {
  return stockOf(sql, projectId, await groupsPage(sql, projectId, count, page), now);
}
