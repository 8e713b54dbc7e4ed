import type { Sql } from '../platform/database/database.ts';

/** A trigger of a scenario: a keyword, or with an empty one the client's first message. */
export type Starter = { keyword: string; scenario: string };

export function listStarters(sql: Sql, projectId: string): Promise<Starter[]> {
  return sql<Starter[]>`
    select keyword, name as scenario from scenario_starters
    join scenarios on scenarios.project_id = scenario_starters.project_id and scenarios.id = scenario_id
    where scenario_starters.project_id = ${projectId} order by keyword`;
}

export async function saveStarter(
  sql: Sql,
  projectId: string,
  keyword: string,
  scenarioId: number,
): Promise<void> {
  await sql`
    insert into scenario_starters (project_id, keyword, scenario_id) values (${projectId}, ${keyword}, ${scenarioId})
    on conflict (project_id, keyword) do update set scenario_id = excluded.scenario_id`;
}

export async function deleteStarter(sql: Sql, projectId: string, keyword: string): Promise<void> {
  await sql`delete from scenario_starters where project_id = ${projectId} and keyword = ${keyword}`;
}
