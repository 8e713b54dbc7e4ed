import type { Sql } from '../../platform/database/database.ts';

export type AwaitedRow = { chat: string; id: string; provider_id: string | null; sent_at: Date };

/** The most messages asked about in one round. */
const atOnce = 1_000;

/** A channel's latest messages that were sent since then and are unread. */
export function findAwaited(
  sql: Sql,
  { projectId, id }: { projectId: string; id: string },
  since: Date,
): Promise<AwaitedRow[]> {
  return sql<AwaitedRow[]>`
    select chats.external_id as chat, messages.id, provider_id, sent_at
    from messages
    join chats on chats.project_id = messages.project_id and chats.id = messages.chat_id
    where messages.project_id = ${projectId} and messages.channel_id = ${id} and messages.id >= uuid_floor(${since})
      and messages.state in ('SENT', 'DELIVERED') and sent_at >= ${since}
    order by messages.id desc limit ${atOnce}`;
}
