import type { Sql } from '../../../platform/database/database.ts';
import type { TimelineEntry } from './schema.ts';

export type EntryRow = Omit<
  TimelineEntry,
  'at' | 'chat' | 'mailing' | 'replied_at' | 'clicked_at' | 'jumped_at'
> & {
  at: Date;
  chat_id: string;
  platform: string;
  mailing_id: string | null;
  mailing_name: string | null;
  replied_at: Date | null;
  clicked_at: Date | null;
  jumped_at: Date | null;
};

/** Characters of a message that a timeline shows. */
const shown = 1_000;

/**
 * The events in a profile's chats before `before`, newest first. An id is a time followed by unique bits, so that
 * entries of all kinds have one order. An entry without such an id gets one: its time, and the rest of its own id.
 * Each kind is read from an index, no further than the page needs.
 */
export function timelinePage(
  sql: Sql,
  projectId: string,
  profileId: string,
  before: string,
  limit: number,
): Promise<EntryRow[]> {
  const idAt = (at: ReturnType<Sql>, id: ReturnType<Sql>) =>
    sql`(substr(uuid_floor(${at})::text, 1, 13) || substr(${id}::text, 14))::uuid`;
  const latest = sql`order by id desc limit ${limit}`;
  return sql<EntryRow[]>`
    with own as materialized (
      select id as chat_id, platform from chats where project_id = ${projectId} and profile_id = ${profileId}
    ),
    happened as (
      select found.*, own.* from own cross join lateral (
        select id, 'message' as kind, created_at as at, direction, source, content_type, state, state_detail, mailing_id,
          replied_at, clicked_at, jumped_at, author_name as author,
          left(coalesce(rendered ->> 'text', content ->> 'text', content -> 'node' ->> 'name',
            content -> 'whatsapp_template' ->> 'pid'), ${shown}) as text,
          null as title
        from messages where project_id = ${projectId} and messages.chat_id = own.chat_id and id < ${before} ${latest}
      ) as found
      union all
      select found.*, own.* from own cross join lateral (
        select id, 'note', created_at, null, null, null, null, null, null::uuid, null::timestamptz, null::timestamptz,
          null::timestamptz, author_name, left(text, ${shown}), null
        from notes where project_id = ${projectId} and notes.chat_id = own.chat_id and id < ${before} ${latest}
      ) as found
      union all
      select found.*, own.* from own cross join lateral (
        select id, 'session_opened', opened_at, null, null, null, null, null, null::uuid, null::timestamptz,
          null::timestamptz, null::timestamptz, operator_name, null, title
        from sessions where project_id = ${projectId} and sessions.chat_id = own.chat_id and id < ${before} ${latest}
      ) as found
      union all
      select found.*, own.* from own cross join lateral (
        select * from (
          select ${idAt(sql`closed_at`, sql`id`)} as id, 'session_closed', closed_at, null, null, null, null, null,
            null::uuid, null::timestamptz, null::timestamptz, null::timestamptz, operator_name,
            nullif(concat_ws(' · ', category_name, theme_name), ''), title
          from sessions
          where project_id = ${projectId} and sessions.chat_id = own.chat_id and closed_at is not null
        ) as closed
        where id < ${before} ${latest}
      ) as found
      union all
      select found.*, own.* from own cross join lateral (
        select * from (
          select ${idAt(sql`issued_at`, sql`id`)} as id, 'promocode', issued_at, null, null, null, null, null, null::uuid,
            null::timestamptz, null::timestamptz, null::timestamptz, null, code, (
              select name from promocode_groups
              where promocode_groups.project_id = promocodes.project_id and promocode_groups.id = promocodes.group_id
            )
          from promocodes where project_id = ${projectId} and issued_chat_id = own.chat_id
        ) as issued
        where id < ${before} ${latest}
      ) as found
    )
    select happened.*, (
      select name from mailings where project_id = ${projectId} and mailings.id = happened.mailing_id
    ) as mailing_name
    from happened ${latest}`;
}
