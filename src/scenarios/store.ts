import type postgres from 'postgres';
import type { Sql } from '../storage/database.ts';

export type Scenario = { id: number; name: string };

/** Null when the project has no scenario of that name. */
export async function findScenarioByName(
  sql: Sql,
  projectId: string,
  name: string,
): Promise<Scenario | null> {
  const [row] = await sql<Scenario[]>`
    select id, name from scenarios where project_id = ${projectId} and name = ${name}`;
  return row ?? null;
}

export type NewScenario = {
  projectId: string;
  name: string;
  definition: postgres.JSONValue;
  createdAt: Date;
};

/** A scenario of the same name gets the new definition and keeps its id. */
export async function saveScenario(sql: Sql, scenario: NewScenario): Promise<Scenario> {
  const [row] = await sql<[Scenario]>`
    insert into scenarios (project_id, name, definition, created_at)
    values (${scenario.projectId}, ${scenario.name}, ${sql.json(scenario.definition)}, ${scenario.createdAt})
    on conflict (project_id, name) do update set definition = excluded.definition
    returning id, name`;
  return row;
}
