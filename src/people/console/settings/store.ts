import type { Sql } from '../../../platform/database/database.ts';

export async function scenarioNames(sql: Sql, projectId: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from scenarios where project_id = ${projectId} order by name`;
  return rows.map(({ name }) => name);
}
