import type { Sql } from '../platform/database/database.ts';

/** A keyword that starts a scenario. The empty one stands for the client's first message. */
export type StarterRow = {
  id: string;
  keyword: string;
  scenario_id: number;
  scenario: string;
  is_enabled: boolean;
};

export function listStarters(sql: Sql, projectId: string): Promise<StarterRow[]> {
  return sql<StarterRow[]>`
    select starters.id, keyword, scenario_id, name as scenario, is_enabled from scenario_starters starters
    join scenarios on scenarios.project_id = starters.project_id and scenarios.id = scenario_id
    where starters.project_id = ${projectId} order by keyword`;
}

export type NewStarter = { id: string; keyword: string; pattern: string | null; scenarioId: number };

/** Returns false when the keyword starts a scenario already. */
export async function insertStarter(sql: Sql, projectId: string, starter: NewStarter): Promise<boolean> {
  const { id, keyword, pattern, scenarioId } = starter;
  const count = await sql`
    insert into scenario_starters (project_id, id, keyword, pattern, scenario_id)
    values (${projectId}, ${id}, ${keyword}, ${pattern}, ${scenarioId})
    on conflict (project_id, keyword) do nothing`.count();
  return count > 0;
}

/** The keyword starts this scenario from now on, and no other one. */
export async function saveStarter(
  sql: Sql,
  projectId: string,
  { id, keyword, pattern, scenarioId }: NewStarter,
): Promise<void> {
  await sql`
    insert into scenario_starters (project_id, id, keyword, pattern, scenario_id)
    values (${projectId}, ${id}, ${keyword}, ${pattern}, ${scenarioId})
    on conflict (project_id, keyword) do update set scenario_id = excluded.scenario_id, is_enabled = true`;
}

export async function deleteKeyword(sql: Sql, projectId: string, keyword: string): Promise<void> {
  await sql`delete from scenario_starters where project_id = ${projectId} and keyword = ${keyword}`;
}

type Key = { scenarioId: number; id: string };

/** Whether the starter existed. */
export async function enableStarter(
  sql: Sql,
  projectId: string,
  { scenarioId, id }: Key,
  isEnabled: boolean,
): Promise<boolean> {
  const count = await sql`
    update scenario_starters set is_enabled = ${isEnabled}
    where project_id = ${projectId} and scenario_id = ${scenarioId} and id = ${id}`.count();
  return count > 0;
}

/** Whether the starter existed. */
export async function deleteStarter(sql: Sql, projectId: string, { scenarioId, id }: Key): Promise<boolean> {
  const count = await sql`
    delete from scenario_starters
    where project_id = ${projectId} and scenario_id = ${scenarioId} and id = ${id}`.count();
  return count > 0;
}
