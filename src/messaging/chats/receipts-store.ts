import { outboxColumns, outboxCtes, projectHears } from '../../events/outbox.ts';
import type { Fragment, JSONValue, Sql } from '../../platform/database/database.ts';
import { fewRows } from '../../platform/database/few-rows.ts';
import { countedMoves, reactionsOf } from '../messages/mailing-counts-store.ts';
import { receivedMessages } from '../messages/moves-store.ts';
import type { SessionFacts } from './present.ts';
import type { MessageState, ReceivedState } from './rules.ts';
import { openSessionFacts } from './sessions-store.ts';

export type ReceivedMessage = {
  /** The receipt's position in the input. */
  position: number;
  id: string;
  project_id: string;
  source: string;
  content_type: string;
  content: Record<string, unknown>;
  external_id: string | null;
  state: MessageState;
  chat_id: string;
  platform: string;
  name: string | null;
  phone: string | null;
  avatar: string | null;
  profile_id: string;
  session: SessionFacts | null;
  mailing_id: string | null;
  /** The trace that the message continues. */
  trace: string | null;
  /** For a mailing's message: whether the project's own webhook receives its events. */
  project_hears: boolean;
};

/** A receipt for one message, by our id or the provider's. */
export type Wanted = { position: number; id?: string; provider_id?: string };

/** The messages of this channel that receipts are for, with the data for their events. */
export function findReceived(
  sql: Sql,
  channel: { projectId: string; id: string },
  wanted: readonly Wanted[],
): Promise<ReceivedMessage[]> {
  const ours = oursCondition(sql, channel);
  return received(
    sql,
    sql`
      select wanted.position, message.*
      from jsonb_to_recordset(${sql.json(wanted)}) as wanted (position integer, id uuid, provider_id text)
      cross join lateral (
        select * from messages where ${ours} and messages.id = wanted.id
        union all
        select * from messages where ${ours} and messages.provider_id = wanted.provider_id
      ) as message`,
  );
}

/** A receipt for all messages to a client up to the provider's number `up_to`, or up to the time `until`. */
export type Mark = { position: number; chat: string; up_to?: string; until?: string };

/** Searches the latest thousand messages of the chat. */
export function findReceivedUpTo(
  sql: Sql,
  channel: { projectId: string; id: string },
  marks: readonly Mark[],
): Promise<ReceivedMessage[]> {
  const { projectId, id } = channel;
  return received(
    sql,
    sql`
      select mark.position, message.*
      from jsonb_to_recordset(${sql.json(marks)})
        as mark (position integer, chat text, up_to numeric, until timestamptz)
      join chats on chats.project_id = ${projectId} and chats.channel_id = ${id} and chats.external_id = mark.chat
      cross join lateral (
        select * from messages where messages.project_id = ${projectId} and messages.chat_id = chats.id
        order by messages.id desc limit 1000
      ) as message
      where message.channel_id = ${id} and message.state in ('SENT', 'DELIVERED')
        and case
          when mark.until is not null then message.sent_at <= mark.until
          when message.provider_id ~ '^[0-9]{1,40}$' then message.provider_id::numeric <= mark.up_to
        end`,
  );
}

const oursCondition = (sql: Sql, channel: { projectId: string; id: string }) => sql`
  messages.project_id = ${channel.projectId} and messages.channel_id = ${channel.id} and messages.direction = 'out'`;

/** @param found rows of `messages` with the `position` of their receipt */
const received = (sql: Sql, found: Fragment) => sql<ReceivedMessage[]>`
  select message.position, message.id, message.project_id, message.source,
    coalesce(message.rendered ->> 'type', message.content_type) as content_type,
    coalesce(message.rendered, message.content) as content,
    message.external_id, message.state, chats.id as chat_id, chats.platform, chats.name, chats.phone, chats.avatar, chats.profile_id,
    ${openSessionFacts(sql, sql`chats.project_id`, sql`chats.id`)} as session,
    message.mailing_id, message.trace, message.mailing_id is not null and ${projectHears(sql, sql`message.project_id`)} as project_hears
  from (${found}) as message
  join chats on chats.project_id = message.project_id and chats.id = message.chat_id
  order by message.position, message.id`;

/** Those of these provider ids that messages of the channel have. */
export async function findKnown(
  sql: Sql,
  channel: { projectId: string; id: string },
  providerIds: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ provider_id: string }[]>`
    select distinct provider_id from messages
    where ${oursCondition(sql, channel)} and messages.provider_id = any (${[...providerIds]}::text[])`;
  return rows.map(({ provider_id }) => provider_id);
}

export type Move = {
  project_id: string;
  id: string;
  state: ReceivedState;
  state_detail: string;
  from: readonly MessageState[];
};

const movedColumns = (sql: Sql) =>
  sql`project_id uuid, id uuid, state text, state_detail text, "from" text[]`;

/**
 * Moves messages by one step each, and announces and counts each move. A message in any other state than those to
 * move from stays unchanged. Rows are locked in the order of their ids, so that batches cannot deadlock.
 */
export async function moveMessages(
  sql: Sql,
  moves: readonly Move[],
  events: readonly ({ message_id: string } & Record<string, JSONValue>)[],
  now: Date,
): Promise<void> {
  await sql`
    with movable as (
      select wanted.*, messages.mailing_id, messages.state as before
      from ${fewRows(sql, moves, 'wanted', movedColumns(sql))}
      join messages on messages.project_id = wanted.project_id and messages.id = wanted.id
      where messages.state = any (wanted."from")
      order by messages.id
      for update of messages
    ),
    moved as (
      ${receivedMessages(sql, sql`movable`, now)}
      returning messages.id, messages.project_id, given.mailing_id, messages.variant, given.before, given.state as after, ${reactionsOf(sql)}
    ),
    mailing_counted as (${countedMoves(sql, sql`moved`)}),
    announced as (
      select event.* from jsonb_to_recordset(${sql.json(events)}) as event (message_id uuid, ${outboxColumns(sql)})
      join moved on moved.id = event.message_id
    ),
    ${outboxCtes(sql, sql`announced`, now)}
    select count(*) from mailing_counted`;
}
