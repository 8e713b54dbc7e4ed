import type { Sql } from './pool.ts';

/** The tables whose rows are counted as they come and go; `profile_tags` by tag. */
type Counted = 'profiles' | 'profile_tags' | 'profile_audit' | 'promocodes' | 'promocode_groups';

/** How many rows a project has in a table, or in the part of it that is counted apart; exact, and kept by the database. */
export async function countRows(sql: Sql, projectId: string, table: Counted, part = ''): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(sum(row_count), 0)::bigint as count from row_counts
    where project_id = ${projectId} and table_name = ${table} and part = ${part}`;
  return row.count;
}
