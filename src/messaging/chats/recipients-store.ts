import type { RecipientKey } from '../../channels/contract/capabilities.ts';
import type { Platform } from '../../channels/contract/platforms.ts';
import { platformsWhere } from '../../channels/registry.ts';
import { smallAscii } from '../../platform/ascii.ts';
import type { Sql } from '../../platform/database/database.ts';
import { normalizePhone } from '../../platform/phone.ts';
import type { ChatKey, ProfileKey, RecipientChat, RecipientRequest } from './recipients.ts';

/** `position` is the request's position in the input. */
export type Found = { position: number };
export type FoundChat = Found & RecipientChat;
export type FoundProfile = Found & {
  profileId: string;
  phoneNumber: string | null;
  chat: RecipientChat | null;
};

/** The common case has the plainest statement. */
export async function findByUuid(sql: Sql, requests: readonly RecipientRequest[]): Promise<FoundChat[]> {
  const wanted = requests.flatMap(({ projectId, chat }, position) =>
    chat && 'uuid' in chat ? [{ position, projectId, id: chat.uuid }] : [],
  );
  if (wanted.length === 0) return [];
  return sql<FoundChat[]>`
    select wanted.position, chats.id, chats.channel_id as "channelId", chats.platform,
      chats.profile_id as "profileId"
    from unnest(
      ${wanted.map(({ position }) => position)}::integer[],
      ${wanted.map(({ projectId }) => projectId)}::uuid[],
      ${wanted.map(({ id }) => id)}::uuid[]
    ) as wanted (position, project_id, id)
    join chats on chats.project_id = wanted.project_id and chats.id = wanted.id`;
}

/**
 * Of several chats with one address, for example with two bots, returns the most recently active one. A chat may have
 * another address beside the id that the key names, such as a phone number.
 */
export async function findByAddress(sql: Sql, requests: readonly RecipientRequest[]): Promise<FoundChat[]> {
  const wanted = requests.flatMap(({ projectId, chat, platforms }, position) => {
    const address = chat && addressOf(chat);
    return address
      ? [
          {
            ...address,
            position,
            project_id: projectId,
            platforms: address.platforms.filter((name) => platforms.includes(name)),
          },
        ]
      : [];
  });
  if (wanted.length === 0) return [];
  return sql<FoundChat[]>`
    select wanted.position, chat.id, chat.channel_id as "channelId", chat.platform, chat.profile_id as "profileId"
    from jsonb_to_recordset(${sql.json(wanted)})
      as wanted (position integer, project_id uuid, platforms text[], external_id text, username text)
    cross join lateral (
      select candidate.* from (
        select * from chats
        where chats.project_id = wanted.project_id and chats.platform = any (wanted.platforms)
          and chats.external_id = wanted.external_id
        union all
        select chats.* from channels
        join lasting_ids as lasting on lasting.project_id = channels.project_id
          and lasting.channel_id = channels.id and lasting.lasting_id = wanted.external_id
        join chats on chats.project_id = lasting.project_id and chats.id = lasting.chat_id
        where channels.project_id = wanted.project_id and channels.platform = any (wanted.platforms)
        union all
        select * from chats
        where chats.project_id = wanted.project_id and chats.platform = any (wanted.platforms)
          and lower(chats.username collate "C") = wanted.username
      ) as candidate
      order by candidate.last_active_at desc, candidate.id limit 1
    ) as chat`;
}

type Address = { platforms: readonly Platform[]; external_id?: string; username?: string };

/**
 * The platforms on which each key names a client. There may be several: a person has one id for bots and for personal
 * accounts.
 */
const platformsBy: { readonly [key in RecipientKey]: readonly Platform[] } = {
  telegram_id: namedBy('telegram_id'),
  telegram_username: namedBy('telegram_username'),
  vkontakte_id: namedBy('vkontakte_id'),
  max_id: namedBy('max_id'),
};

function namedBy(key: RecipientKey): readonly Platform[] {
  return platformsWhere(({ recipientKeys }) => recipientKeys.includes(key));
}

function addressOf(chat: ChatKey): Address | null {
  if ('telegram_id' in chat) {
    return { platforms: platformsBy.telegram_id, external_id: String(chat.telegram_id) };
  }
  if ('telegram_username' in chat) {
    const username = smallAscii(chat.telegram_username.replace(/^@/, ''));
    return { platforms: platformsBy.telegram_username, username };
  }
  if ('vkontakte_id' in chat) {
    return { platforms: platformsBy.vkontakte_id, external_id: String(chat.vkontakte_id) };
  }
  if ('max_id' in chat) return { platforms: platformsBy.max_id, external_id: String(chat.max_id) };
  return null;
}

/** Profiles, each with its most recently active chat that can carry the content. */
export async function findByProfile(
  sql: Sql,
  requests: readonly RecipientRequest[],
): Promise<FoundProfile[]> {
  const wanted = requests.flatMap(({ projectId, profile, platforms }, position) =>
    profile ? [{ ...profileColumns(profile), position, project_id: projectId, platforms }] : [],
  );
  if (wanted.length === 0) return [];
  return sql<FoundProfile[]>`
    select wanted.position, profile.id as "profileId", profile.phone_number as "phoneNumber", chat.chat
    from jsonb_to_recordset(${sql.json(wanted)})
      as wanted (position integer, project_id uuid, platforms text[], id uuid, phone_number text, external_id text)
    cross join lateral (
      select id, phone_number from profiles
      where profiles.project_id = wanted.project_id and profiles.id = wanted.id
      union all
      select id, phone_number from profiles
      where profiles.project_id = wanted.project_id and profiles.phone_number = wanted.phone_number
      union all
      select id, phone_number from profiles
      where profiles.project_id = wanted.project_id and profiles.external_id = wanted.external_id
    ) as profile
    left join lateral (
      select jsonb_build_object(
        'id', id, 'channelId', channel_id, 'platform', platform, 'profileId', profile_id
      ) as chat
      from chats
      where chats.project_id = wanted.project_id and chats.profile_id = profile.id
        and chats.platform = any (wanted.platforms)
      order by last_active_at desc, id limit 1
    ) as chat on true`;
}

function profileColumns(profile: ProfileKey): { id?: string; phone_number?: string; external_id?: string } {
  if ('uuid' in profile) return { id: profile.uuid };
  if ('external_id' in profile) return { external_id: profile.external_id };
  return { phone_number: normalizePhone(profile.phone_number) ?? profile.phone_number };
}
