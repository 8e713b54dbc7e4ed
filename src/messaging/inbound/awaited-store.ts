import type { Sql } from '../../platform/database/database.ts';

export type AwaitedRow = { chat: string; id: string; provider_id: string | null; sent_at: Date };

type Which = { since: Date; before: string | null; most: number };

/** A channel's latest messages before this id that were sent since then and are unread. */
export function findAwaited(
  sql: Sql,
  { projectId, id }: { projectId: string; id: string },
  { since, before, most }: Which,
): Promise<AwaitedRow[]> {
  return sql<AwaitedRow[]>`
    select chats.external_id as chat, messages.id, provider_id, sent_at
    from messages
    join chats on chats.project_id = messages.project_id and chats.id = messages.chat_id
    where messages.project_id = ${projectId} and messages.channel_id = ${id} and messages.id >= uuid_floor(${since})
      and messages.state in ('SENT', 'DELIVERED') and sent_at >= ${since}
      ${before === null ? sql`` : sql`and messages.id < ${before}`}
    order by messages.id desc limit ${most}`;
}
