import type { Sql } from '../../../platform/database/database.ts';
import { idNamed } from '../../../scenarios/names-store.ts';

export type VersionRow = { version: number; saved_at: Date; saved_by: string | null };
export type SourceRow = VersionRow & { definition: unknown; source: string | null };

/**
 * The newest first. Versions are numbered from 1 without gaps. The current number is therefore the number of
 * versions.
 */
export function versionsPage(
  sql: Sql,
  projectId: string,
  scenarioId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<VersionRow[]> {
  return sql<VersionRow[]>`
    select version, created_at as saved_at, saved_by from scenario_versions
    where project_id = ${projectId} and scenario_id = ${scenarioId}
    order by version desc limit ${limit} offset ${offset}`;
}

export async function findVersion(
  sql: Sql,
  projectId: string,
  scenarioId: number,
  version: number,
): Promise<SourceRow | undefined> {
  const [row] = await sql<SourceRow[]>`
    select version, created_at as saved_at, saved_by, definition, source from scenario_versions
    where project_id = ${projectId} and scenario_id = ${scenarioId} and version = ${version}`;
  return row;
}

export type NamedRow = { name: string; definition: unknown };

/** The current definitions of the scenarios that have or had these names. */
export function findDefinitions(sql: Sql, projectId: string, names: string[]): Promise<NamedRow[]> {
  return sql<NamedRow[]>`
    select wanted as name, definition from unnest(${names}::text[]) as wanted
    join scenarios on scenarios.project_id = ${projectId} and scenarios.id = ${idNamed(sql, projectId, sql`wanted`)}
    join scenario_versions kept on kept.project_id = scenarios.project_id and kept.scenario_id = scenarios.id
      and kept.version = scenarios.version`;
}
