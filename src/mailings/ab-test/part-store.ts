import type { Sql } from '../../platform/database/database.ts';

/** Where a mailing is in its test. */
export type PartRow = { state: string; part: 'sample' | 'rest' | null; decide_at: Date | null };

export async function findPart(sql: Sql, projectId: string, id: string): Promise<PartRow> {
  const [row] = await sql<[PartRow]>`
    select state, progress ->> 'part' as part,
      to_timestamp((progress ->> 'decide_at')::float8 / 1000) as decide_at
    from mailings where project_id = ${projectId} and id = ${id}`;
  return row;
}
