import type { Platform } from '../../../../channels/contract/platforms.ts';
import type { ContentType } from '../../../../mailings/schema.ts';
import type { Sql } from '../../../../platform/database/database.ts';

export type CalendarRow = {
  id: string;
  name: string;
  state: string;
  awaits_approval: boolean;
  content_type: ContentType;
  phone_numbers_file: string | null;
  filter_chats: unknown;
  regular_cron: string | null;
  planned_at: Date | null;
  due_at: Date | null;
  started_at: Date | null;
  /** When the sample of an A/B test decides what the rest gets. Null before that is known, and afterwards. */
  rest_at: Date | null;
};

/** More than a person reads. */
export const mostMailings = 1_000;

/** The mailings that will start, and those whose last run began in the period. */
export function mailingsBetween(
  sql: Sql,
  projectId: string,
  from: Date,
  until: Date,
): Promise<CalendarRow[]> {
  return sql<CalendarRow[]>`
    select id, name, state, coalesce(approval = 'awaited', false) and state = 'planned' as awaits_approval, content_type,
      phone_numbers_file, filter_chats, regular_cron, planned_at, due_at, started_at, rest_at
    from mailings cross join lateral (
      select case when state = 'in_process' and progress ->> 'part' = 'sample'
        then to_timestamp((progress ->> 'decide_at')::float8 / 1000) end as rest_at
    ) as test
    where project_id = ${projectId} and (
      state = 'planned' and (due_at is not null or approval = 'awaited')
      or started_at >= ${from} and started_at < ${until}
      or rest_at >= ${from} and rest_at < ${until}
    )
    order by id desc limit ${mostMailings}`;
}

/** The platforms on which the project has a channel. */
export async function platformsOfProject(sql: Sql, projectId: string): Promise<Platform[]> {
  const rows = await sql<{ platform: Platform }[]>`
    select distinct platform from channels where project_id = ${projectId}`;
  return rows.map(({ platform }) => platform);
}
