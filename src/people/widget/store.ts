import type { Button } from '../../channels/contract/adapter.ts';
import type { MessageKey } from '../../messaging/messages/message-key.ts';
import type { Sql } from '../../platform/database/database.ts';
import { fewRows } from '../../platform/database/few-rows.ts';
import type { Place } from './rules.ts';

/** A client's chat by its address. The chat may not exist yet. */
export type ChatAddress = { projectId: string; channelId: string; address: string };

type AddressRow = { channel_id: string; external_id: string };

export async function findAddress(
  sql: Sql,
  { projectId, id }: { projectId: string; id: string },
): Promise<ChatAddress | null> {
  const [row] = await sql<AddressRow[]>`
    select channel_id, external_id from chats where project_id = ${projectId} and id = ${id}`;
  return row ? { projectId, channelId: row.channel_id, address: row.external_id } : null;
}

export type MessageRow = {
  id: string;
  direction: 'in' | 'out';
  content_type: string;
  content: { text?: string; url?: string; buttons?: Button[] };
  external_id: string | null;
  author_name: string | null;
  state: string | null;
  /**
   * The time when the client first could see it. It is long after the creation for a message that waited for its
   * launch.
   */
  at: Date;
};

const columns = (sql: Sql) => sql`
  messages.id, messages.direction, coalesce(messages.rendered ->> 'type', messages.content_type) as content_type,
  coalesce(messages.rendered, messages.content) as content, messages.external_id, messages.author_name,
  messages.state, coalesce(messages.sent_at, messages.created_at) as at`;

const isVisible = (sql: Sql) =>
  sql`(messages.direction = 'in' or messages.state in ('SENT', 'DELIVERED', 'READ'))`;

const inChatAt = (sql: Sql, { projectId, channelId, address }: ChatAddress) => sql`
  chats.project_id = ${projectId} and chats.channel_id = ${channelId} and chats.external_id = ${address}`;

const withMessages = (sql: Sql) => sql`
  join messages on messages.project_id = chats.project_id and messages.chat_id = chats.id`;

/** The last messages before a place, newest first. */
export function findHistory(
  sql: Sql,
  chat: ChatAddress,
  before: Place | null,
  limit: number,
): Promise<MessageRow[]> {
  const earlier = before
    ? sql`and (coalesce(messages.sent_at, messages.created_at), messages.id) < (${before.at}, ${before.id}::uuid)`
    : sql``;
  return sql<MessageRow[]>`
    select ${columns(sql)} from chats ${withMessages(sql)}
    where ${inChatAt(sql, chat)} and ${isVisible(sql)} ${earlier}
    order by at desc, messages.id desc limit ${limit}`;
}

export async function findOwnMessage(
  sql: Sql,
  chat: ChatAddress,
  id: string,
): Promise<MessageRow | undefined> {
  const [row] = await sql<MessageRow[]>`
    select ${columns(sql)} from chats ${withMessages(sql)} and messages.id = ${id} where ${inChatAt(sql, chat)}`;
  return row;
}

/** The messages among these that the chat's client may have seen. */
export async function seenAmong(sql: Sql, chat: ChatAddress, ids: string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select messages.id from chats ${withMessages(sql)} and messages.id = any (${ids}::uuid[])
    where ${inChatAt(sql, chat)} and messages.state in ('SENT', 'DELIVERED', 'READ')`;
  return rows.map(({ id }) => id);
}

export type Watch = {
  position: number;
  project_id: string;
  channel_id: string;
  address: string;
  /** Messages that were visible before this time are known. */
  since: Date;
  /** The oldest message that was still waiting at the last look. Null if there was none. */
  oldest_waiting: string | null;
};

/** The messages that became visible, of one chat. */
const mostVisible = 100;

/** A chat with more messages since the oldest one that waits is not read whole at each look. */
const mostRecent = 1_000;

/** A message without its content. */
export type News = Pick<MessageRow, 'id' | 'at'> & { position: number; is_waiting: boolean };

/**
 * For every watched chat: the messages that became visible since its time, and the oldest one that still waits. A
 * waiting message is found again by its id. A new one has an id no older than `newest`. Each chat therefore costs a
 * short range of its history's index, however long the history. `offset 0` keeps the planner from joining all messages
 * with all chats. A visitor may have written any number of messages, and ask for all of them: the latest are enough,
 * and the history has the others.
 */
export function findNews(sql: Sql, watches: readonly Watch[], newest: Date): Promise<News[]> {
  return sql<News[]>`
    select watched.position, news.*
    from jsonb_to_recordset(${sql.json(watches)}) as watched (
      position integer, project_id uuid, channel_id uuid, address text, since timestamptz, oldest_waiting uuid
    )
    cross join lateral (
      select project_id, id from chats
      where chats.project_id = watched.project_id and chats.channel_id = watched.channel_id
        and chats.external_id = watched.address
      offset 0
    ) as chat
    cross join lateral (
      with recent as materialized (
        select id, coalesce(sent_at, created_at) as at, ${isVisible(sql)} as is_visible,
          coalesce(state in ('PENDING', 'IN_PROCESS'), false) as is_waiting
        from messages
        where messages.project_id = chat.project_id and messages.chat_id = chat.id
          and messages.id >= least(watched.oldest_waiting, uuid_floor(${newest}))
        order by messages.id desc limit ${mostRecent}
      )
      (select id, at, is_waiting from recent where is_waiting order by id limit 1)
      union all
      (
        select id, at, is_waiting from recent where is_visible and at > watched.since
        order by id desc limit ${mostVisible}
      )
    ) as news
    order by news.at, news.id`;
}

/** Messages with their contents, by their ids. */
export async function findContents(
  sql: Sql,
  keys: readonly MessageKey[],
): Promise<ReadonlyMap<string, MessageRow>> {
  const rows = await sql<MessageRow[]>`
    select ${columns(sql)} from ${fewRows(sql, keys, 'few', sql`project_id uuid, id uuid`)}
    cross join lateral (
      select * from messages where messages.project_id = few.project_id and messages.id = few.id offset 0
    ) as messages`;
  return new Map(rows.map((row) => [row.id, row]));
}
