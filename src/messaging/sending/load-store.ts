import { hasList, whyNot } from '../../clients/consent/refusal-store.ts';
import { projectHears } from '../../events/outbox.ts';
import type { FrequencyCap } from '../../mailings/frequency-cap.ts';
import type { QuietHours } from '../../mailings/quiet-hours.ts';
import type { Whereabouts } from '../../mailings/time-zones.ts';
import type { Fragment, Sql } from '../../platform/database/database.ts';
import { fewRows } from '../../platform/database/few-rows.ts';
import type { SessionFacts } from '../chats/present.ts';
import { openSessionFacts } from '../chats/sessions-store.ts';
import type { MessageKey } from '../messages/message-key.ts';
import type { MessageContent } from './carry.ts';
import type { LeasedMessage } from './claim-store.ts';
import type { Twin } from './rules.ts';

/** Columns of `messages`, its chat, and the listeners of its project. */
export type LoadedMessage = {
  project_id: string;
  id: string;
  lease: string;
  chat_id: string;
  channel_id: string;
  source: string;
  content_type: string;
  content: MessageContent;
  /** The promo codes that were taken for it, by group. Null for a message without any. */
  promocodes: { [group: string]: string } | null;
  external_id: string | null;
  is_force: boolean;
  /** Whether a scenario begins with it. */
  starts_run: boolean;
  attempts: number;
  /** Earlier claims without a result. */
  interruptions: number;
  launch_at: Date | null;
  created_at: Date;
  /** The trace that the message continues. */
  trace: string | null;
  platform: string;
  chat_external_id: string;
  chat_name: string | null;
  chat_phone: string | null;
  chat_avatar: string | null;
  profile_id: string;
  stopped: boolean;
  /** The mailing's topic. */
  topic_id: string | null;
  /** For a mailing's message: why it does not reach the client since it was planned. Null if it may. */
  barred: string | null;
  /** The chat's open session. */
  session: SessionFacts | null;
  /** Whether any endpoint of the project receives `message_updated`. */
  heard: boolean;
  mailing_id: string | null;
  mailing_run: number | null;
  /** Of an A/B test. */
  variant: number | null;
  /** For a mailing's message: whether the project's own webhook receives its events. */
  project_hears: boolean;
  /** For a mailing's message: the project's quiet hours, and what tells where the client is. */
  quiet: (QuietHours & { client: Whereabouts }) | null;
  /** For a mailing's message: the project's cap. */
  cap: FrequencyCap | null;
  /** For a mailing's message: the cap of its topic. */
  topic_cap: FrequencyCap | null;
};

/** The messages that this lease still holds, with everything that sending needs. */
export function loadMessages(
  sql: Sql,
  lease: string,
  leased: readonly LeasedMessage[],
): Promise<LoadedMessage[]> {
  const keys = leased.map(({ project_id, id }): MessageKey => ({ project_id, id }));
  const client = { projectId: sql`chats.project_id`, profileId: sql`chats.profile_id` };
  const rule = { topicId: topicOf(sql), hasList: sql`projects.has_list` };
  return sql<LoadedMessage[]>`
    with few as (select * from ${fewRows(sql, keys, 'few', sql`project_id uuid, id uuid`)}),
    projects as materialized (
      select named.project_id, ${projectHears(sql, sql`named.project_id`)} as project_hears,
        ${hasList(sql, sql`named.project_id`)} as has_list,
        case when quiet_from is not null
          then jsonb_build_object('from', quiet_from, 'until', quiet_until, 'timezone', timezone) end as quiet_hours,
        case when cap_messages is not null
          then jsonb_build_object('messages', cap_messages, 'days', cap_days) end as cap,
        exists (
          select from endpoints where endpoints.project_id = named.project_id and application_id is not null
            and (event_types = '{}' or 'message_updated' = any (event_types))
        ) as heard
      from (select distinct project_id from few) as named
      join projects on projects.id = named.project_id
    )
    select messages.project_id, messages.id, messages.lease, messages.chat_id, messages.channel_id, messages.source,
      coalesce(messages.rendered ->> 'type', messages.content_type) as content_type,
      coalesce(messages.rendered, messages.content) as content,
      messages.content -> 'promocodes' as promocodes, messages.external_id,
      messages.is_force, messages.content_type = 'NODE' as starts_run,
      messages.attempts, messages.interruptions, messages.launch_at, messages.created_at, messages.mailing_id,
      messages.mailing_run, messages.variant, messages.trace, chats.platform, chats.external_id as chat_external_id,
      chats.name as chat_name,
      chats.phone as chat_phone, chats.avatar as chat_avatar, chats.profile_id, chats.stopped_at is not null as stopped,
      case when messages.mailing_id is not null then ${topicOf(sql)} end as topic_id,
      case when messages.mailing_id is not null then ${whyNot(sql, client, rule)} end as barred,
      ${openSessionFacts(sql, sql`messages.project_id`, sql`messages.chat_id`)} as session,
      projects.heard, projects.project_hears,
      case when projects.quiet_hours is not null and ${obeys(sql, sql`ignores_quiet_hours`)} then projects.quiet_hours || (
        select jsonb_build_object('client', jsonb_build_object('timezone', timezone, 'phone_number', phone_number))
        from profiles where profiles.project_id = chats.project_id and profiles.id = chats.profile_id
      ) end as quiet,
      case when projects.cap is not null and ${obeys(sql, sql`ignores_cap`)} then projects.cap end as cap,
      (
        select jsonb_build_object('messages', cap_messages, 'days', cap_days)
        from mailings join topics on topics.project_id = mailings.project_id and topics.id = mailings.topic_id
        where mailings.project_id = messages.project_id and mailings.id = messages.mailing_id
          and not ignores_cap and cap_messages is not null
      ) as topic_cap
    from few
    -- 'offset 0': each by its key. For a lease the planner would read all of a young table.
    cross join lateral (
      select * from messages where messages.project_id = few.project_id and messages.id = few.id offset 0
    ) as messages
    join chats on chats.project_id = messages.project_id and chats.id = messages.chat_id
    join projects on projects.project_id = messages.project_id
    where messages.lease = ${lease}`;
}

/** The topic of a row of `messages` of a mailing. */
const topicOf = (sql: Sql): Fragment => sql`(
  select topic_id from mailings
  where mailings.project_id = messages.project_id and mailings.id = messages.mailing_id
)`;

/** Whether a row of `messages` belongs to a mailing that was not allowed to ignore a rule. */
const obeys = (sql: Sql, ignores: Fragment): Fragment => sql`
  exists (
    select from mailings
    where mailings.project_id = messages.project_id and mailings.id = messages.mailing_id and not ${ignores}
  )`;

/**
 * The messages of the same run of a mailing in the other chats of the same client. There are some only after a merge
 * of two profiles.
 */
export async function findTwins(sql: Sql, messages: readonly LoadedMessage[]): Promise<Map<string, Twin[]>> {
  const rows = messages.flatMap(({ project_id, id, chat_id, profile_id, mailing_id, mailing_run }) =>
    mailing_id ? [{ project_id, id, chat_id, profile_id, mailing_id, mailing_run }] : [],
  );
  if (rows.length === 0) return new Map();
  const columns = sql`
    project_id uuid, id uuid, chat_id uuid, profile_id uuid, mailing_id uuid, mailing_run int`;
  const twins = await sql<(Twin & { of: string })[]>`
    select few.id as of, twin.id, twin.state
    from ${fewRows(sql, rows, 'few', columns)}
    join mailings on mailings.project_id = few.project_id and mailings.id = few.mailing_id
    join chats on chats.project_id = few.project_id and chats.profile_id = few.profile_id and chats.id <> few.chat_id
    -- 'offset 0': by its chat. Of a young table the planner would read the whole mailing for each message. The ids of a
    -- run's messages begin with its beginning.
    cross join lateral (
      select id, state, mailing_id, mailing_run from messages
      where messages.project_id = chats.project_id and messages.chat_id = chats.id
        and messages.id >= uuid_floor(mailings.started_at) offset 0
    ) as twin
    where twin.mailing_id = few.mailing_id and twin.mailing_run = few.mailing_run`;
  return Map.groupBy(twins, ({ of }) => of);
}
