import type { Answered } from '../../channels/contract/adapter.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { ClaimedMessage } from './claim.ts';

/** The latest message of each chat's client, by the id of the chat. */
export async function findAnswered(
  sql: Sql,
  messages: readonly Pick<ClaimedMessage, 'project_id' | 'chat_id'>[],
): Promise<Map<string, Answered>> {
  const [first] = messages;
  if (!first) return new Map();
  const chats = messages.map(({ chat_id }) => chat_id);
  const rows = await sql<(Answered & { chatId: string })[]>`
    select chats.id as "chatId", messages.external_id as "externalId", messages.content ->> 'subject' as subject,
      messages.created_at as at
    from chats
    join messages on messages.project_id = chats.project_id and messages.id = chats.heard_id
    where chats.project_id = ${first.project_id} and chats.id = any(${chats}::uuid[])
      and messages.external_id is not null`;
  return new Map(rows.map(({ chatId, ...answered }) => [chatId, answered]));
}
