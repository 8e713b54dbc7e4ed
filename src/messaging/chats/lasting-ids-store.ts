import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { ChatChannel, ChatRow } from './store.ts';

/** Keeps a client's lasting id. An id of another chat stays with it. */
export async function keepLastingId(
  sql: Sql,
  { project_id, channel_id, id }: ChatRow,
  lastingId: string,
): Promise<void> {
  await sql`
    insert into lasting_ids (project_id, channel_id, lasting_id, chat_id)
    values (${project_id}, ${channel_id}, ${lastingId}, ${id})
    on conflict do nothing`;
}

/** Gives a chat the client's new address. A chat that is there already stays, and so do both histories. */
export async function readdressChat(sql: Sql, chat: ChatRow, to: string): Promise<void> {
  const channel = { projectId: chat.project_id, id: chat.channel_id };
  await sql`${readdressed(sql, channel, to)} and id = ${chat.id}`;
}

/** The same for the chat at an address. */
export async function moveChat(
  sql: Sql,
  channel: ChatChannel,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await sql`${readdressed(sql, channel, to)} and external_id = ${from}`;
}

const readdressed = (
  sql: Sql,
  { projectId, id }: Pick<ChatChannel, 'projectId' | 'id'>,
  to: string,
): Fragment => sql`
  update chats set external_id = ${to}
  where project_id = ${projectId} and channel_id = ${id} and external_id <> ${to} and not exists (
    select from chats as other
    where other.project_id = ${projectId} and other.channel_id = ${id} and other.external_id = ${to}
  )`;
