import type { Fragment, JSONValue, Sql } from '../platform/database/database.ts';
import type { Names } from './names.ts';
import { idNamed } from './names-store.ts';

export type ScenarioRow = { id: number; name: string };

/** Null when no scenario of the project has or had that name. */
export async function findScenarioByName(
  sql: Sql,
  projectId: string,
  name: string,
): Promise<ScenarioRow | null> {
  const [row] = await sql<ScenarioRow[]>`
    select id, name from scenarios where project_id = ${projectId} and id = ${idNamed(sql, projectId, name)}`;
  return row ?? null;
}

export type NewScenario = {
  projectId: string;
  name: string;
  definition: JSONValue;
  /** The text from which the definition was parsed. */
  source?: string;
  createdAt: Date;
};

/** A scenario of the same name keeps its id, and gets a new version when its definition differs. */
export async function saveScenario(
  sql: Sql,
  { projectId, name, definition, source = JSON.stringify(definition, null, 2), createdAt }: NewScenario,
): Promise<ScenarioRow & { version: number }> {
  const [row] = await sql<[ScenarioRow & { version: number }]>`
    with saved as (
      insert into scenarios (project_id, name, created_at) values (${projectId}, ${name}, ${createdAt})
      on conflict (project_id, name) do update set version = scenarios.version + coalesce((
        select (definition <> ${sql.json(definition)})::int from scenario_versions
        where project_id = scenarios.project_id and scenario_id = scenarios.id and version = scenarios.version
      ), 1)
      returning project_id, id, name, version
    ),
    kept as (
      insert into scenario_versions (project_id, scenario_id, version, definition, source, created_at)
      select project_id, id, version, ${sql.json(definition)}, ${source}, ${createdAt} from saved
      on conflict do nothing
    )
    select id, name, version from saved`;
  return row;
}

export type VersionRow = { id: number; name: string; version: number; definition: unknown };

/** A scenario by its id or name, at a version or the current one. */
export async function findVersion(
  sql: Sql,
  projectId: string,
  key: { id: number } | { name: string },
  version: number | null,
): Promise<VersionRow | null> {
  const [row] = await sql<VersionRow[]>`
    select scenarios.id, scenarios.name, kept.version, kept.definition
    from scenarios
    join scenario_versions kept on kept.project_id = scenarios.project_id and kept.scenario_id = scenarios.id
      and kept.version = coalesce(${version}::int, scenarios.version)
    where scenarios.project_id = ${projectId}
      and scenarios.id = ${'id' in key ? key.id : idNamed(sql, projectId, key.name)}`;
  return row ?? null;
}

export type ListedRow = { id: number; name: string; version: number; running: number };

/** Sorted by name, with the number of chats that run each. */
export function listScenarios(sql: Sql, projectId: string): Promise<ListedRow[]> {
  return sql<ListedRow[]>`
    select id, name, version, (
      select count(*)::int from scenario_walks walks
      where walks.project_id = scenarios.project_id and walks.scenario_id = scenarios.id
    ) as running
    from scenarios where project_id = ${projectId} order by name`;
}

/** The names that the project lacks. */
export async function missingOf(sql: Sql, projectId: string, names: Names): Promise<Names> {
  const absent = (wanted: readonly string[], isThere: Fragment) => sql`
    array(
      select distinct wanted from unnest(${[...wanted]}::text[]) as wanted where not (${isThere}) order by wanted
    )`;
  const isIn = (table: 'attributes' | 'tags' | 'audiences') => sql`
    exists (select from ${sql(table)} there where there.project_id = ${projectId} and there.name = wanted)`;
  const isGroup = sql`
    exists (
      select from promocode_groups there
      where there.project_id = ${projectId} and promocode_digest(there.name) = promocode_digest(wanted)
    )`;
  const [row] = await sql<[Names]>`
    select ${absent(names.scenarios, sql`${idNamed(sql, projectId, sql`wanted`)} is not null`)} as scenarios,
      ${absent(names.attributes, isIn('attributes'))} as attributes, ${absent(names.tags, isIn('tags'))} as tags,
      ${absent(names.audiences, isIn('audiences'))} as audiences, ${absent(names.promocode_groups, isGroup)} as promocode_groups`;
  return row;
}
