import type { Fragment, Sql } from '../platform/database/database.ts';

/** The moves of a run that its drawing shows. */
const longestPath = 60;

/**
 * Counts the moves of the runs in `result`: its columns are `project_id`, `scenario_id` and `trail`. Rows are locked in
 * the same order by everybody.
 */
export const countedMoves = (sql: Sql, result: Fragment, now: Date) => sql`
  insert into scenario_counts as known (project_id, scenario_id, day, step, way, count)
  select scenarios.project_id, scenarios.id, (${now}::timestamptz at time zone 'UTC')::date, split_part(move, ' ', 1),
    split_part(move, ' ', 2), count(*)
  from ${result} as result
  cross join unnest(result.trail) as move
  join scenarios on scenarios.project_id = result.project_id and scenarios.id = result.scenario_id
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (project_id, scenario_id, day, step, way) do update set count = known.count + excluded.count`;

/** A path with further moves, as far as it is kept. */
export const pathWith = (sql: Sql, path: Fragment, trail: Fragment) => sql`
  (${path} || ${trail})[greatest(1, cardinality(${path}) + cardinality(${trail}) - ${longestPath - 1}::int) :]`;

export type CountRow = { step: string; way: string; count: number };

/** The moves from a day on, by step and way. */
export function countsSince(
  sql: Sql,
  projectId: string,
  scenarioId: number,
  day: string,
): Promise<CountRow[]> {
  return sql<CountRow[]>`
    select step, way, sum(count)::int as count from scenario_counts
    where project_id = ${projectId} and scenario_id = ${scenarioId} and day >= ${day}::date
    group by step, way order by step, way`;
}

/** Removes some of the counts of days before this one, and returns their number. Nothing goes during a legal hold. */
export function forgetCounts(sql: Sql, projectId: string, before: Date, most: number): Promise<number> {
  return sql`
    delete from scenario_counts
    where (project_id, scenario_id, day, step, way) in (
      select project_id, scenario_id, day, step, way from scenario_counts
      where project_id = ${projectId} and day < (${before}::timestamptz at time zone 'UTC')::date
      limit ${most}
    ) and not exists (select from retention where project_id = ${projectId} and legal_hold)`.count();
}

/** More waiting runs are not counted. */
const mostWaiting = 100_000;

/** The runs that wait at each step now. */
export function waitingRuns(
  sql: Sql,
  projectId: string,
  scenarioId: number,
): Promise<{ step: string; count: number }[]> {
  return sql<{ step: string; count: number }[]>`
    select step, count(*)::int as count from (
      select state #>> '{at,step}' as step from scenario_walks
      where project_id = ${projectId} and scenario_id = ${scenarioId}
      limit ${mostWaiting}
    ) as waiting
    where step is not null group by step order by step`;
}

export type WalkRow = { chat_id: string; name: string | null; version: number; path: string[] };

/** The chats that follow the scenario now, the latest first, with the ways that they have taken. */
export function walksOf(sql: Sql, projectId: string, scenarioId: number, limit: number): Promise<WalkRow[]> {
  return sql<WalkRow[]>`
    select chat_id, name, version, path from (
      select project_id, chat_id, version, path, created_at from scenario_walks
      where project_id = ${projectId} and scenario_id = ${scenarioId}
      order by created_at desc, chat_id limit ${limit}
    ) as runs
    join chats on chats.project_id = runs.project_id and chats.id = runs.chat_id
    order by runs.created_at desc, chat_id`;
}
