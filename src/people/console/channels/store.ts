import type { Warning } from '../../../channels/connected/health-store.ts';
import type { Platform } from '../../../channels/contract/platforms.ts';
import type { Fragment, Sql } from '../../../platform/database/database.ts';

export type ChannelRow = {
  id: string;
  platform: Platform;
  name: string;
  state: 'active' | 'paused';
  state_detail: string;
  paused_by: string | null;
  rate: number | null;
  rate_ceiling: number | null;
  /** Null while nothing is learned. */
  learnt: number | null;
  learnt_from: { at: string; calls: number; refused: number; seconds: number } | null;
  learnt_until: Date | null;
  resume_at: Date | null;
  waiting: number;
  told: Warning[];
  found: Warning[];
  lapses_at: Date | null;
  created_at: Date;
};

/** The most queued messages that are counted. */
export const countedMessages = 10_000;

const channels = (sql: Sql, projectId: string, condition: Fragment, now: Date) => sql<ChannelRow[]>`
  select channels.id, platform, name, state, state_detail, paused_by,
    pace_now(rate, rate_ceiling, learnt_until, ${now}) as rate, rate_ceiling,
    case when learnt_until > ${now} then learnt end as learnt, learnt_from, learnt_until,
    case when resume_at > ${now} then resume_at end as resume_at, queue.waiting, told, found, lapses_at,
    channels.created_at
  from channels
  left join channel_pace pace on pace.project_id = channels.project_id and pace.channel_id = channels.id
  cross join lateral (
    select count(*) as waiting from (
      select from messages where channel_id = channels.id and is_queued
      limit ${countedMessages + 1}
    ) queued
  ) queue
  where channels.project_id = ${projectId} and channels.state <> 'unfinished' and ${condition}
  order by channels.id`;

/** The channels of a project, the oldest first. */
export const findChannels = (sql: Sql, projectId: string, now: Date): Promise<ChannelRow[]> =>
  channels(sql, projectId, sql`true`, now);

export async function findChannel(
  sql: Sql,
  projectId: string,
  id: string,
  now: Date,
): Promise<ChannelRow | undefined> {
  const [row] = await channels(sql, projectId, sql`channels.id = ${id}`, now);
  return row;
}

export type Queued = { of_mailings: number; since: Date | null };

/** What waits in a channel's queue, in a sample of it. */
export async function findQueued(sql: Sql, channelId: string): Promise<Queued> {
  const [row] = await sql<[Queued]>`
    select count(*) filter (where source = 'mailing') as of_mailings, min(created_at) as since
    from (
      select source, created_at from messages where channel_id = ${channelId} and is_queued limit ${countedMessages}
    ) queued`;
  return row;
}

export type ChatRow = { id: string; name: string | null; created_at: Date };

export async function hasChats(sql: Sql, projectId: string, channelId: string): Promise<boolean> {
  const [row] = await sql<[{ has_chats: boolean }]>`
    select exists (select from chats where project_id = ${projectId} and channel_id = ${channelId}) as has_chats`;
  return row.has_chats;
}

/** The newest chat of a channel, if it is among the newest of the project. */
export async function findNewestChat(
  sql: Sql,
  projectId: string,
  channelId: string,
): Promise<ChatRow | null> {
  const [row] = await sql<ChatRow[]>`
    select id, name, created_at from (
      select id, name, created_at, channel_id from chats where project_id = ${projectId} order by id desc limit 10000
    ) newest
    where channel_id = ${channelId} order by id desc limit 1`;
  return row ?? null;
}

export type FirstMessageRow = { chat_id: string; chat_name: string | null; text: string | null; at: Date };

/** The first message that a client wrote in this chat. */
export async function findFirstMessage(
  sql: Sql,
  projectId: string,
  chatId: string,
): Promise<FirstMessageRow | null> {
  const [row] = await sql<FirstMessageRow[]>`
    select chats.id as chat_id, chats.name as chat_name, messages.content ->> 'text' as text, messages.created_at as at
    from messages join chats on chats.project_id = messages.project_id and chats.id = messages.chat_id
    where messages.project_id = ${projectId} and messages.chat_id = ${chatId} and direction = 'in'
    order by messages.id limit 1`;
  return row ?? null;
}

export async function findFirstCall(sql: Sql, projectId: string, channelId: string): Promise<Date | null> {
  const [row] = await sql<{ called_at: Date | null }[]>`
    select called_at from channels where project_id = ${projectId} and id = ${channelId}`;
  return row?.called_at ?? null;
}
