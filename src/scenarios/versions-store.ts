import type { JSONValue, Sql } from '../platform/database/database.ts';
import { isAtRevision, publishedDrafts } from './drafts-store.ts';
import { keptName } from './names-store.ts';

export type SavedRow = { id: number; name: string; version: number };

export type NewVersion = {
  name: string;
  definition: JSONValue;
  source: string;
  savedBy: string;
  savedAt: Date;
};

/** Null when the project already has a scenario of that name. */
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

/**
 * Publishes the draft of this revision, if one is named. Null when the scenario is no longer at version `from`, or
 * its draft at the revision. Of two concurrent saves one gets null.
 */
export async function insertVersion(
  sql: Sql,
  projectId: string,
  scenario: { id: number; from: number; revision: number | null },
  { name, definition, source, savedBy, savedAt }: NewVersion,
): Promise<SavedRow | null> {
  const [row] = await sql<SavedRow[]>`
    with present as (
      select project_id, id, name from scenarios
      where project_id = ${projectId} and id = ${scenario.id} and version = ${scenario.from} for update
    ),
    moved as (
      update scenarios set version = version + 1, name = ${name} from present
      where scenarios.project_id = present.project_id and scenarios.id = present.id
        and ${isAtRevision(sql, projectId, scenario.id, scenario.revision)}
      returning scenarios.project_id, scenarios.id, scenarios.name, version
    ),
    renamed as (${keptName(sql, sql`present`, sql`moved`)}),
    published as (
      ${publishedDrafts(sql, projectId, scenario.id, scenario.revision)} and exists (select from moved)
    ),
    kept as (
      insert into scenario_versions (project_id, scenario_id, version, definition, source, saved_by, created_at)
      select project_id, id, version, ${sql.json(definition)}, ${source}, ${savedBy}, ${savedAt} from moved
    )
    select id, name, version from moved`;
  return row ?? null;
}
