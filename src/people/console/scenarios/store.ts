import type { Sql } from '../../../platform/database/database.ts';

export type ListedRow = {
  id: number;
  name: string;
  version: number;
  saved_at: Date;
  saved_by: string | null;
  running: number;
  /** The empty keyword is the welcome. */
  keywords: string[];
  /** Whether changes of profiles or promo codes start it. */
  by_events: boolean;
  has_draft: boolean;
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
      select from scenario_walks walks
      where walks.project_id = scenarios.project_id and walks.scenario_id = scenarios.id
      limit 1000
    ) under_way
  ) as running,
  array(
    select keyword from scenario_starters starters
    where starters.project_id = scenarios.project_id and starters.scenario_id = scenarios.id and is_enabled
    order by keyword
  ) as keywords,
  exists (
    select from scenario_event_starters starters
    where starters.project_id = scenarios.project_id and starters.scenario_id = scenarios.id and is_enabled
  ) as by_events,
  exists (
    select from scenario_drafts drafts
    where drafts.project_id = scenarios.project_id and drafts.scenario_id = scenarios.id and drafts.source is not null
  ) as has_draft`;

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
