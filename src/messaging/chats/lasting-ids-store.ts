import type { Fragment, Sql } from '../../platform/database/database.ts';
import type { ChatChannel, ChatRow } from './store.ts';

/** Keeps a client's lasting id. An id of another chat stays with it. */
export async function keepLastingId(
  sql: Sql,
  { project_id, channel_id, id }: Pick<ChatRow, 'project_id' | 'channel_id' | 'id'>,
  lastingId: string,
  now: Date,
): Promise<void> {
  await sql`
    insert into lasting_ids (project_id, channel_id, lasting_id, chat_id, learnt_at)
    values (${project_id}, ${channel_id}, ${lastingId}, ${id}, ${now})
    on conflict do nothing`;
}

/** The lasting ids of chats that have any, by the id of the chat. The latest is where the client is now. */
export async function findLastingIds(
  sql: Sql,
  chats: readonly { project_id: string; chat_id: string }[],
): Promise<Map<string, string[]>> {
  const [first] = chats;
  if (!first) return new Map();
  const ids = chats.map(({ chat_id }) => chat_id);
  const rows = await sql<{ chat_id: string; lasting_ids: string[] }[]>`
    select chat_id, array_agg(lasting_id order by learnt_at nulls first, lasting_id) as lasting_ids from lasting_ids
    where project_id = ${first.project_id} and chat_id = any (${ids}::uuid[])
    group by chat_id`;
  return new Map(rows.map(({ chat_id, lasting_ids }) => [chat_id, lasting_ids]));
}

/**
 * Whether the row of `chats` is that of a client with another lasting id, by a user name. A phone number is its client's,
 * whatever else changes: one number is one profile.
 */
export const isOfAnother = (sql: Sql, lastingId: Fragment): Fragment => sql`(
  starts_with(chats.external_id, '@') and exists (
    select from lasting_ids as theirs
    where theirs.project_id = chats.project_id and theirs.chat_id = chats.id and theirs.lasting_id <> ${lastingId}
  ) and not exists (
    select from lasting_ids as own
    where own.project_id = chats.project_id and own.chat_id = chats.id and own.lasting_id = ${lastingId}
  )
)`;

/** The client who had this user name has lost it to another one. Their chat is at their lasting id from now on. */
export async function freeAddress(
  sql: Sql,
  { projectId, id }: Pick<ChatChannel, 'projectId' | 'id'>,
  { externalId, lastingId }: { externalId: string; lastingId: string },
): Promise<void> {
  await sql`
    update chats set external_id = theirs.lasting_id from lasting_ids as theirs
    where chats.project_id = ${projectId} and chats.channel_id = ${id} and chats.external_id = ${externalId}
      and ${isOfAnother(sql, sql`${lastingId}`)}
      and theirs.project_id = chats.project_id and theirs.chat_id = chats.id and not exists (
        select from chats as other
        where other.project_id = chats.project_id and other.channel_id = chats.channel_id
          and other.external_id = theirs.lasting_id
      )`;
}

/** Gives a chat the client's new address. A chat that is there already stays, and so do both histories. */
export async function readdressChat(sql: Sql, chat: ChatRow, to: string): Promise<void> {
  const channel = { projectId: chat.project_id, id: chat.channel_id };
  await sql`${readdressed(sql, channel, to)} and id = ${chat.id}`;
}

/** The same for the chat at an address. The chat of a lasting id keeps the new id too. */
export async function moveChat(
  sql: Sql,
  channel: ChatChannel,
  { from, to }: { from: string; to: string },
  now: Date,
): Promise<void> {
  const { projectId, id } = channel;
  await sql`
    with kept as (
      insert into lasting_ids (project_id, channel_id, lasting_id, chat_id, learnt_at)
      select project_id, channel_id, ${to}, chat_id, ${now}::timestamptz from lasting_ids
      where project_id = ${projectId} and channel_id = ${id} and lasting_id = ${from}
      on conflict do nothing
    )
    ${readdressed(sql, channel, to)} and external_id = ${from}`;
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
