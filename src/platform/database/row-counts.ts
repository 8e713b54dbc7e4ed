import type { Fragment, Sql } from './pool.ts';

/**
 * The tables whose rows are counted as they come and go. `profile_tags` is counted by tag, and `messages` only in the
 * part `push`.
 */
type Counted =
  | 'messages'
  | 'profiles'
  | 'profile_tags'
  | 'profile_audit'
  | 'promocodes'
  | 'promocode_groups'
  | 'mailings'
  | 'suppressions';

/** The same as `countRows` within a statement. */
export const rowCount = (sql: Sql, projectId: string, table: Counted, part: Fragment): Fragment => sql`(
  select coalesce(sum(row_count), 0)::bigint from row_counts
  where project_id = ${projectId} and table_name = ${table} and part = ${part}
)`;

/** The number of a project's rows in a table, or in a part that is counted separately. Exact at any moment. */
export async function countRows(sql: Sql, projectId: string, table: Counted, part = ''): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select ${rowCount(sql, projectId, table, sql`${part}`)} as count`;
  return row.count;
}

/**
 * A statement for a CTE that the main statement must read. It adds to the counts the `difference` of each
 * `project_id` in `rows`.
 */
export const countedRows = (sql: Sql, table: Counted, part: string, rows: Fragment) => sql`
  select add_to_row_count(project_id, ${table}, ${part}, difference::bigint) from ${rows} as counted`;
