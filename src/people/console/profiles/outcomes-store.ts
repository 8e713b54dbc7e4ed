import type { Saying } from '../../../mailings/audience.ts';
import type { MailingState } from '../../../mailings/schema.ts';
import type { Sql } from '../../../platform/database/database.ts';

export type MessageRow = {
  id: string;
  mailing_id: string | null;
  /** Of an A/B test. */
  variant: number | null;
  platform: string;
  state: string;
  state_detail: string;
  is_leased: boolean;
  created_at: Date;
  due_at: Date | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  /** Of a push message: its campaign, or its text. */
  title: string | null;
};

/** Characters of a text that stands for a name. */
const shown = 80;

/**
 * The latest messages of a client's chats since a time, newest first, from the history of each chat: of mailings, and
 * those that partners' systems sent.
 */
export function messagesSince(
  sql: Sql,
  { projectId, profileId }: { projectId: string; profileId: string },
  { since, now, most }: { since: Date; now: Date; most: number },
): Promise<MessageRow[]> {
  return sql<MessageRow[]>`
    select found.*, chats.platform from chats cross join lateral (
      select id, mailing_id, variant, state, state_detail, coalesce(leased_until > ${now}, false) as is_leased, created_at, due_at,
        sent_at, delivered_at, read_at,
        coalesce(campaign_name, left(coalesce(rendered ->> 'text', content ->> 'text', content -> 'node' ->> 'name',
          content -> 'whatsapp_template' ->> 'pid'), ${shown})) as title
      from messages
      where messages.project_id = ${projectId} and messages.chat_id = chats.id and id >= uuid_floor(${since})
        and source in ('push', 'stream', 'mailing')
      order by id desc limit ${most}
    ) as found
    where chats.project_id = ${projectId} and chats.profile_id = ${profileId}
    order by found.id desc`;
}

export type RunRow = Pick<Saying, 'content_type'> & {
  id: string;
  name: string;
  state: MailingState;
  state_detail: string;
  /** Whether the run may still plan messages. */
  is_planning: boolean;
  /** Whether the rest of an A/B test waits for the sample. */
  is_testing: boolean;
  started_at: Date;
  /** The end of the run, or now. */
  ended_at: Date;
  /** What the mailing is about. */
  topic_id: string | null;
  topic: string | null;
  phone_numbers_file: string | null;
  /** The moments until which messages of this mailing wait for the end of quiet hours. */
  waits: string[];
  /** Why the client's line was left out, if a line names them. */
  problem: string | null;
};

/** The mailings whose last run began since a time, newest first. `names` are what a list may call the client. */
export function runsSince(
  sql: Sql,
  projectId: string,
  { since, now, most, names }: { since: Date; now: Date; most: number; names: readonly string[] },
): Promise<RunRow[]> {
  return sql<RunRow[]>`
    select id, name, state, state_detail, content_type, phone_numbers_file, started_at,
      coalesce(completed_at, ${now}) as ended_at, topic_id,
      (select name from topics where topics.project_id = mailings.project_id and topics.id = topic_id) as topic,
      state = 'in_process' and stage in ('files', 'planning') as is_planning,
      state = 'in_process' and coalesce(progress ->> 'part' = 'sample', false) as is_testing,
      array(
        select iso(until) from mailing_waits
        where mailing_waits.project_id = ${projectId} and mailing_id = mailings.id and until > ${now}
      ) as waits,
      (
        select reason from mailing_problems
        where mailing_problems.project_id = ${projectId} and mailing_id = mailings.id and identifier = any (${[...names]}::text[])
        order by run desc limit 1
      ) as problem
    from mailings
    where mailings.project_id = ${projectId} and started_at >= ${since}
    order by started_at desc, id desc limit ${most}`;
}

export type ChatRow = {
  id: string;
  platform: string;
  created_at: Date;
  stopped_at: Date | null;
};

export function chatsOf(sql: Sql, projectId: string, profileId: string): Promise<ChatRow[]> {
  return sql<ChatRow[]>`
    select id, platform, created_at, stopped_at from chats
    where project_id = ${projectId} and profile_id = ${profileId}`;
}
