import type { JSONValue, Sql } from '../../../platform/database/database.ts';

export type ListedRow = {
  id: number;
  name: string;
  version: number;
  saved_at: Date;
  saved_by: string | null;
  running: number;
  /** The empty one is the welcome. */
  keywords: string[];
};

export async function countScenarios(sql: Sql, projectId: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int from scenarios where project_id = ${projectId}`;
  return row.count;
}

type Slice = { limit: number; offset: number };

/** By name. */
export function scenariosPage(sql: Sql, projectId: string, { limit, offset }: Slice): Promise<ListedRow[]> {
  return sql<ListedRow[]>`
    select scenarios.id, name, scenarios.version, kept.created_at as saved_at, saved_by, ${usesOf(sql)}
    from scenarios join scenario_versions kept on ${isCurrent(sql)}
    where scenarios.project_id = ${projectId} order by name limit ${limit} offset ${offset}`;
}

const isCurrent = (sql: Sql) => sql`
  kept.project_id = scenarios.project_id and kept.scenario_id = scenarios.id and kept.version = scenarios.version`;

/** More than a thousand runs are not counted. */
const usesOf = (sql: Sql) => sql`
  (
    select count(*)::int from (
      select from scenario_runs runs
      where runs.project_id = scenarios.project_id and runs.scenario_id = scenarios.id and runs.status = 'running'
      limit 1000
    ) under_way
  ) as running,
  array(
    select keyword from scenario_starters starters
    where starters.project_id = scenarios.project_id and starters.scenario_id = scenarios.id order by keyword
  ) as keywords`;

export type ScenarioRow = ListedRow & { definition: unknown; source: string | null };

export async function findScenario(
  sql: Sql,
  projectId: string,
  id: number,
): Promise<ScenarioRow | undefined> {
  const [row] = await sql<ScenarioRow[]>`
    select scenarios.id, name, scenarios.version, kept.created_at as saved_at, saved_by, definition, source,
      ${usesOf(sql)}
    from scenarios join scenario_versions kept on ${isCurrent(sql)}
    where scenarios.project_id = ${projectId} and scenarios.id = ${id}`;
  return row;
}

export type SavedRow = { id: number; name: string; version: number };

export type NewVersion = {
  name: string;
  definition: JSONValue;
  source: string;
  savedBy: string;
  savedAt: Date;
};

/** Null when the project has a scenario of that name. */
export async function insertScenario(
  sql: Sql,
  projectId: string,
  { name, definition, source, savedBy, savedAt }: NewVersion,
): Promise<SavedRow | null> {
  const [row] = await sql<SavedRow[]>`
    with made as (
      insert into scenarios (project_id, name, created_at) values (${projectId}, ${name}, ${savedAt})
      on conflict (project_id, name) do nothing
      returning project_id, id, name, version
    ),
    kept as (
      insert into scenario_versions (project_id, scenario_id, version, definition, source, saved_by, created_at)
      select project_id, id, version, ${sql.json(definition)}, ${source}, ${savedBy}, ${savedAt} from made
    )
    select id, name, version from made`;
  return row ?? null;
}

/** Null when the scenario is at another version than `from` by now. Of two who save at once, one finds it so. */
export async function insertVersion(
  sql: Sql,
  projectId: string,
  scenario: { id: number; from: number },
  { name, definition, source, savedBy, savedAt }: NewVersion,
): Promise<SavedRow | null> {
  const [row] = await sql<SavedRow[]>`
    with moved as (
      update scenarios set version = version + 1, name = ${name}
      where project_id = ${projectId} and id = ${scenario.id} and version = ${scenario.from}
      returning project_id, id, name, version
    ),
    kept as (
      insert into scenario_versions (project_id, scenario_id, version, definition, source, saved_by, created_at)
      select project_id, id, version, ${sql.json(definition)}, ${source}, ${savedBy}, ${savedAt} from moved
    )
    select id, name, version from moved`;
  return row ?? null;
}
