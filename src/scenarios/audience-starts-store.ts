import type { Fragment, Sql } from '../platform/database/database.ts';

/**
 * A statement for a CTE: queues the starts of clients who entered an audience. `entered` has rows of `profile_id` and
 * `due_at`.
 */
export const startedByAudience = (
  sql: Sql,
  { projectId, audienceId, entered }: { projectId: string; audienceId: string; entered: Fragment },
): Fragment => sql`
  insert into scenario_event_starts (project_id, profile_id, scenario_id, params, due_at, starter_id)
  select starters.project_id, entered.profile_id, scenario_id, jsonb_build_object('audience', audiences.name),
    entered.due_at, starters.id
  from scenario_event_starters as starters
  join audiences on audiences.project_id = starters.project_id and audiences.id::text = subject
  cross join ${entered} as entered
  where starters.project_id = ${projectId} and is_enabled and kind = 'audience' and subject = ${audienceId}::text
  order by entered.profile_id`;
