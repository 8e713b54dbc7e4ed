import type { Sql } from '../platform/database/database.ts';

/** `source` is null when there is nothing to publish. */
export type DraftRow = {
  revision: number;
  version: number;
  source: string | null;
  saved_by: string;
  saved_at: Date;
};

/** Null before the first draft of a scenario. */
export async function findDraft(sql: Sql, projectId: string, scenarioId: number): Promise<DraftRow | null> {
  const [row] = await sql<DraftRow[]>`
    select revision, version, source, saved_by, saved_at from scenario_drafts
    where project_id = ${projectId} and scenario_id = ${scenarioId}`;
  return row ?? null;
}

export type NewDraft = { version: number; source: string | null; savedBy: string; savedAt: Date };

/** The new revision. Null when the draft is no longer at revision `from`, which is 0 before the first draft. */
export async function saveDraft(
  sql: Sql,
  projectId: string,
  scenario: { id: number; from: number },
  { version, source, savedBy, savedAt }: NewDraft,
): Promise<number | null> {
  const [row] = await sql<{ revision: number }[]>`
    insert into scenario_drafts as known (project_id, scenario_id, revision, version, source, saved_by, saved_at)
    values (${projectId}, ${scenario.id}, 1, ${version}, ${source}, ${savedBy}, ${savedAt})
    on conflict (project_id, scenario_id) do update set revision = known.revision + 1, version = excluded.version,
      source = excluded.source, saved_by = excluded.saved_by, saved_at = excluded.saved_at
    where known.revision = ${scenario.from}
    returning revision`;
  return row?.revision ?? null;
}

/** A condition: the draft is at this revision, or none is named. */
export const isAtRevision = (sql: Sql, projectId: string, scenarioId: number, revision: number | null) => sql`
  (${revision}::int is null or ${revision}::int = coalesce((
    select revision from scenario_drafts where project_id = ${projectId} and scenario_id = ${scenarioId}
  ), 0))`;

/** The rest of a statement that publishes the draft of this revision: a later one stays. */
export const publishedDrafts = (
  sql: Sql,
  projectId: string,
  scenarioId: number,
  revision: number | null,
) => sql`
  update scenario_drafts set source = null, revision = revision + 1
  where project_id = ${projectId} and scenario_id = ${scenarioId} and revision = ${revision}::int`;

/** Notes that a person has the scenario open, and returns the names of the others. */
export async function noteEditor(
  sql: Sql,
  projectId: string,
  scenarioId: number,
  { operatorId, name }: { operatorId: string; name: string },
  { now, since }: { now: Date; since: Date },
): Promise<string[]> {
  const [row] = await sql<[{ names: string[] }]>`
    with gone as (
      delete from scenario_editors
      where project_id = ${projectId} and scenario_id = ${scenarioId} and seen_at <= ${since} and operator_id <> ${operatorId}
    ),
    noted as (
      insert into scenario_editors (project_id, scenario_id, operator_id, name, seen_at)
      values (${projectId}, ${scenarioId}, ${operatorId}, ${name}, ${now})
      on conflict (project_id, scenario_id, operator_id) do update set name = excluded.name, seen_at = excluded.seen_at
    )
    select array(
      select name from scenario_editors
      where project_id = ${projectId} and scenario_id = ${scenarioId} and seen_at > ${since}
        and operator_id <> ${operatorId}
      order by name
    ) as names`;
  return row.names;
}
