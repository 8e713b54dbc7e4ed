import type { Sql } from './pool.ts';

/** The tables whose rows are counted as they come and go; `profile_tags` by tag, of `messages` the part `push`. */
type Counted =
  | 'messages'
  | 'profiles'
  | 'profile_tags'
  | 'profile_audit'
  | 'promocodes'
  | 'promocode_groups'
  | 'mailings';

/** How many rows a project has in a table, or in the part of it that is counted apart; exact at any moment. */
export async function countRows(sql: Sql, projectId: string, table: Counted, part = ''): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(sum(row_count), 0)::bigint as count from row_counts
    where project_id = ${projectId} and table_name = ${table} and part = ${part}`;
  return row.count;
}
