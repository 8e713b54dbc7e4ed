import type { Platform } from '../../channels/contract/platforms.ts';
import { personalPlatforms } from '../../channels/registry.ts';
import type { Entry } from '../../clients/profiles/audit.ts';
import { type NewProfile, newProfileCtes, phoneOwnerCtes } from '../../clients/profiles/creation-store.ts';
import type { Fragment, JSONValue, Sql } from '../../platform/database/database.ts';
import { fewRows } from '../../platform/database/few-rows.ts';
import { inPositions } from '../../platform/database/positions.ts';
import { mostKept } from '../../platform/http/fields.ts';
import { Invalid, messages } from '../../platform/problem.ts';
import { isOfAnother } from './lasting-ids-store.ts';
import type { ChatFacts } from './present.ts';

/** Variables that integrations set on a chat. A session's context begins with them. */
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
  platform: Platform;
  external_id: string;
  name: string | null;
  username: string | null;
  phone: string | null;
  created_at: Date;
  /** When to ask the provider for the client's name. Null: never. */
  name_due_at: Date | null;
};

export const chatColumns = (sql: Sql) => sql`
  chats.project_id, chats.id, chats.channel_id, chats.profile_id, chats.platform, chats.name, chats.username,
  chats.phone, chats.avatar, chats.variables`;

export async function findChat(sql: Sql, projectId: string, id: string): Promise<ChatRow | undefined> {
  const [row] = await sql<ChatRow[]>`
    select ${chatColumns(sql)} from chats where project_id = ${projectId} and id = ${id}`;
  return row;
}

/** The data of a channel that chats need. */
export type ChatChannel = { projectId: string; id: string; platform: Platform; name: string };

/** A client's address on a channel, with the provider's lasting id if there is one. */
export type ChatAddress = {
  channel: Pick<ChatChannel, 'projectId' | 'id'>;
  externalId: string;
  lastingId?: string | undefined;
};

/** `isSettled`: the chat has this address, and the lasting id is known. */
export type FoundChat = ChatRow & { isSettled: boolean };

type Asked = {
  position: number;
  project_id: string;
  channel_id: string;
  external_id: string;
  lasting_id: string;
};

type Found = FoundChat & { position: number };

const askedColumns = (sql: Sql) =>
  sql`position integer, project_id uuid, channel_id uuid, external_id text, lasting_id text`;

/** The chat at each address, or with its lasting id, if there is one. */
export async function findChatsAt(
  sql: Sql,
  addresses: readonly ChatAddress[],
): Promise<(FoundChat | undefined)[]> {
  const asked = addresses.map(({ channel, externalId, lastingId = externalId }, position) => ({
    position,
    project_id: channel.projectId,
    channel_id: channel.id,
    external_id: externalId,
    lasting_id: lastingId,
  }));
  const here = await findAtAddresses(sql, asked);
  const found = new Set(here.map(({ position }) => position));
  const others = asked.filter(({ position }) => !found.has(position));
  return inPositions(asked, others.length === 0 ? here : [...here, ...(await findByLastingIds(sql, others))]);
}

/** A user name may pass to somebody else: a chat there with another lasting id is not theirs. */
const findAtAddresses = (sql: Sql, asked: readonly Asked[]): Promise<Found[]> => sql<Found[]>`
  select asked.position, ${chatColumns(sql)},
    asked.lasting_id = asked.external_id or lasting.chat_id is not null as "isSettled"
  from ${fewRows(sql, asked, 'asked', askedColumns(sql))}
  join chats on chats.project_id = asked.project_id and chats.channel_id = asked.channel_id
    and chats.external_id = asked.external_id
  left join lasting_ids as lasting on lasting.project_id = asked.project_id
    and lasting.channel_id = asked.channel_id and lasting.lasting_id = asked.lasting_id
  where asked.lasting_id = asked.external_id or not ${isOfAnother(sql, sql`asked.lasting_id`)}`;

/** A chat can have had the lasting id as its address, while no other was known. */
const findByLastingIds = (sql: Sql, asked: readonly Asked[]): Promise<Found[]> => sql<Found[]>`
  select asked.position, ${chatColumns(sql)}, false as "isSettled"
  from ${fewRows(sql, asked, 'asked', askedColumns(sql))}
  left join lasting_ids as lasting on lasting.project_id = asked.project_id
    and lasting.channel_id = asked.channel_id and lasting.lasting_id = asked.lasting_id
  left join chats as old on old.project_id = asked.project_id and old.channel_id = asked.channel_id
    and old.external_id = asked.lasting_id
  join chats on chats.project_id = asked.project_id and chats.id = coalesce(lasting.chat_id, old.id)`;

/**
 * Creates a chat, and its profile if that is new too. A profile with the chat's phone number, or with its address on
 * another channel, may exist already. If the chat exists meanwhile, nothing is created, neither the chat nor a profile
 * without a number.
 */
export async function insertChat(sql: Sql, chat: NewChat, profile: NewProfile, entry: Entry): Promise<void> {
  if (chat.phone === null) {
    await sql`
      with same as (${profileAtAddress(sql, chat)}),
      chat as (
        ${chatInsert(sql, chat, sql`(select coalesce((select id from same), ${profile.id}) as id) as profile`)}
      ),
      ${newProfileCtes(sql, profile, entry, sql`chat where chat.profile_id = ${profile.id}`)}
      select`;
  } else {
    await sql`
      with ${phoneOwnerCtes(sql, profile, entry, chat.phone)}
      ${chatInsert(sql, chat, sql`(select (after).id from owner) as profile`)}`;
  }
}

/** The client who has the address on another channel, if it can be no other person. The profile is locked. */
const profileAtAddress = (sql: Sql, { project_id, platform, external_id }: NewChat): Fragment => sql`
  select profiles.id from chats
  join profiles on profiles.project_id = chats.project_id and profiles.id = chats.profile_id
  where chats.project_id = ${project_id} and chats.platform = ${platform} and chats.external_id = ${external_id}
    and ${personalPlatforms.includes(platform)}
  order by chats.created_at, chats.id limit 1 for key share of profiles`;

/** An INSERT of the chat for the profile with the id from `source`. */
const chatInsert = (sql: Sql, chat: NewChat, source: Fragment) => sql`
  insert into chats (
    project_id, id, channel_id, profile_id, platform, external_id, name, username, phone, created_at, last_active_at, name_due_at
  )
  select ${chat.project_id}, ${chat.id}, ${chat.channel_id}, profile.id, ${chat.platform}, ${chat.external_id},
    ${chat.name}, ${chat.username}, ${chat.phone}, ${chat.created_at}, ${chat.created_at},
    ${chat.name_due_at}::timestamptz
  from ${source}
  on conflict (project_id, channel_id, external_id) do nothing
  returning id, profile_id`;

/** Stores a chat's phone number, and the profile that the chat belongs to from now on. */
export async function setPhone(
  sql: Sql,
  { project_id, id }: ChatRow,
  phone: string,
  profileId: string,
): Promise<void> {
  await sql`
    update chats set phone = ${phone}, profile_id = ${profileId} where project_id = ${project_id} and id = ${id}`;
}

/** Moves the chats of one profile to another. */
export async function moveChats(sql: Sql, projectId: string, from: string, to: string): Promise<void> {
  await sql`update chats set profile_id = ${to} where project_id = ${projectId} and profile_id = ${from}`;
}

/**
 * Moves a chat to the profile that has this phone number, if there is one. Returns the chat's profile. The profile is
 * locked before the chat, as in merges of profiles.
 */
export async function moveToPhone(sql: Sql, chat: ChatRow, phone: string): Promise<string> {
  const [row] = await sql<{ profile_id: string }[]>`
    with owner as (
      select id from profiles where project_id = ${chat.project_id} and phone_number = ${phone} for key share
    )
    update chats set profile_id = owner.id from owner
    where chats.project_id = ${chat.project_id} and chats.id = ${chat.id}
    returning profile_id`;
  return row?.profile_id ?? chat.profile_id;
}

/**
 * Adds variables to a chat, and to the context of its open session. The session is locked first, as everywhere.
 * Returns the updated chat. Throws `Invalid` if the chat would have too many.
 */
export async function addVariables(sql: Sql, chat: ChatRow, variables: Variables): Promise<ChatRow> {
  const [row] = await sql<{ variables: Variables }[]>`
    with fitting as (
      select from chats
      where project_id = ${chat.project_id} and id = ${chat.id}
        and char_length((variables || ${sql.json(variables)})::text) <= ${mostKept}
    ),
    session as (
      update sessions set context = context || ${sql.json(variables)}
      where project_id = ${chat.project_id} and chat_id = ${chat.id} and closed_at is null
        and exists (select from fitting)
      returning id
    )
    update chats set variables = variables || ${sql.json(variables)}
    where project_id = ${chat.project_id} and id = ${chat.id} and exists (select from fitting)
      and (select count(*) from session) >= 0
    returning variables`;
  if (!row) throw new Invalid({ chat: { variables: [messages.maxLength(mostKept)] } });
  return { ...chat, variables: row.variables };
}

/** Active channels come before paused ones, then older ones before newer ones. */
export async function firstChannel(
  sql: Sql,
  projectId: string,
  platforms: readonly Platform[],
): Promise<ChatChannel | undefined> {
  const [row] = await sql<ChatChannel[]>`
    select project_id as "projectId", id, platform, name from channels
    where project_id = ${projectId} and state <> 'unfinished' and platform = any (${[...platforms]}::text[])
    order by array_position(${[...platforms]}::text[], platform), state = 'active' desc, id limit 1`;
  return row;
}
