import type { JSONValue } from 'postgres';
import type { Platform } from '../channels/platforms.ts';
import { insertProfile, type NewProfile } from '../profiles/store.ts';
import type { Sql } from '../storage/database.ts';
import type { ChatFacts } from './present.ts';

/** What integrations have told of a chat; a session's context begins with it. */
export type Variables = Record<string, JSONValue>;

export type ChatRow = ChatFacts & {
  project_id: string;
  channel_id: string;
  platform: Platform;
  username: string | null;
  variables: Variables;
};

export type NewChat = {
  project_id: string;
  id: string;
  channel_id: string;
  profile_id: string;
  platform: Platform;
  external_id: string;
  name: string | null;
  username: string | null;
  phone: string | null;
  created_at: Date;
};

export const chatColumns = (sql: Sql) => sql`
  chats.project_id, chats.id, chats.channel_id, chats.profile_id, chats.platform, chats.name, chats.username,
  chats.phone, chats.avatar, chats.variables`;

export async function findChat(sql: Sql, projectId: string, id: string): Promise<ChatRow | undefined> {
  const [row] = await sql<ChatRow[]>`
    select ${chatColumns(sql)} from chats where project_id = ${projectId} and id = ${id}`;
  return row;
}

/** What chats need to know of a channel. */
export type ChatChannel = { projectId: string; id: string; platform: Platform };

/** The chat with a client's address on a channel. */
export async function findChatAt(
  sql: Sql,
  channel: ChatChannel,
  externalId: string,
): Promise<ChatRow | undefined> {
  const [row] = await sql<ChatRow[]>`
    select ${chatColumns(sql)} from chats
    where project_id = ${channel.projectId} and channel_id = ${channel.id} and external_id = ${externalId}`;
  return row;
}

/**
 * Makes a chat, and its profile when that is new too. Where someone else has made the chat meanwhile, neither is made.
 */
export async function insertChat(sql: Sql, chat: NewChat, newProfile: NewProfile | null): Promise<void> {
  await sql`
    with made as (
      insert into chats (
        project_id, id, channel_id, profile_id, platform, external_id, name, username, phone, created_at, last_active_at
      ) values (
        ${chat.project_id}, ${chat.id}, ${chat.channel_id}, ${chat.profile_id}, ${chat.platform}, ${chat.external_id},
        ${chat.name}, ${chat.username}, ${chat.phone}, ${chat.created_at}, ${chat.created_at}
      )
      on conflict (project_id, channel_id, external_id) do nothing
      returning id
    )
    ${newProfile ? sql`, profile as (${insertProfile(sql, newProfile, sql`from made`)})` : sql``}
    select count(*) from made`;
}

/** Notes a chat's phone number, and moves the chat to the profile that has it. Answers with the chat's profile. */
export async function moveToPhone(sql: Sql, chat: ChatRow, phone: string): Promise<string> {
  const [row] = await sql<[{ profile_id: string }]>`
    update chats set phone = ${phone}, profile_id = coalesce(
      (select id from profiles where project_id = ${chat.project_id} and phone_number = ${phone}), profile_id)
    where project_id = ${chat.project_id} and id = ${chat.id}
    returning profile_id`;
  return row.profile_id;
}

/** Adds variables to a chat, and to the context of its open session. Answers with the chat as it is then. */
export async function addVariables(sql: Sql, chat: ChatRow, variables: Variables): Promise<ChatRow> {
  const [row] = await sql<[{ variables: Variables }]>`
    with session as (
      update sessions set context = context || ${sql.json(variables)}
      where project_id = ${chat.project_id} and chat_id = ${chat.id} and closed_at is null
    )
    update chats set variables = variables || ${sql.json(variables)}
    where project_id = ${chat.project_id} and id = ${chat.id}
    returning variables`;
  return { ...chat, variables: row.variables };
}

/** An active channel goes before a paused one, and then an old one before a new one. */
export async function firstChannel(
  sql: Sql,
  projectId: string,
  platforms: readonly Platform[],
): Promise<ChatChannel | undefined> {
  const [row] = await sql<ChatChannel[]>`
    select project_id as "projectId", id, platform from channels
    where project_id = ${projectId} and platform = any (${[...platforms]}::text[])
    order by array_position(${[...platforms]}::text[], platform), state = 'active' desc, id limit 1`;
  return row;
}
