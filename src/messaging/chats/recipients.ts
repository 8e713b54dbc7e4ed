import type { Platform } from '../../channels/contract/platforms.ts';
import type { Sql } from '../../platform/database/database.ts';
import {
  type Found,
  type FoundChat,
  type FoundProfile,
  findByAddress,
  findByProfile,
  findByUuid,
} from './recipients-store.ts';

export type ChatKey =
  | { uuid: string }
  | { telegram_id: number }
  | { telegram_username: string }
  | { vkontakte_id: number }
  | { max_id: number };

export type ProfileKey = { uuid: string } | { phone_number: string } | { external_id: string };

export type RecipientRequest = {
  projectId: string;
  chat: ChatKey | null;
  profile: ProfileKey | null;
  /** The platforms that can carry the content. A chat named by its uuid is found on any platform. */
  platforms: readonly Platform[];
};

export type RecipientChat = { id: string; channelId: string; platform: Platform; profileId: string };

export type Recipient =
  | { kind: 'found'; chat: RecipientChat }
  | { kind: 'chat_not_found' }
  | { kind: 'profile_not_found' }
  /** The profile exists, but none of its chats can carry the content. */
  | { kind: 'no_chat'; profileId: string; phoneNumber: string | null };

/**
 * Finds the recipients of any number of messages, with one statement for each kind of identifier. Answers in the
 * order of the requests. Source: docs/contract.md, section 3.
 */
export async function resolveRecipients(
  sql: Sql,
  requests: readonly RecipientRequest[],
): Promise<Recipient[]> {
  const [byUuid, byAddress, profiles] = await Promise.all([
    findByUuid(sql, requests),
    findByAddress(sql, requests),
    findByProfile(sql, requests),
  ]);
  const chats = byPosition([...byUuid, ...byAddress]);
  const owners = byPosition(profiles);
  return requests.map(({ chat, profile }, position) => {
    const owner = profile ? owners.get(position) : null;
    return chat ? chatRecipient(chats.get(position), owner) : profileRecipient(owner);
  });
}

const byPosition = <Row extends Found>(rows: readonly Row[]): Map<number, Row> =>
  new Map(rows.map((row) => [row.position, row]));

/** `owner` is null when the request names no profile, and undefined when that profile does not exist. */
function chatRecipient(chat: FoundChat | undefined, owner: FoundProfile | null | undefined): Recipient {
  if (!chat) return { kind: 'chat_not_found' };
  if (owner === undefined) return { kind: 'profile_not_found' };
  if (owner && owner.profileId !== chat.profileId) return { kind: 'chat_not_found' };
  const { id, channelId, platform, profileId } = chat;
  return { kind: 'found', chat: { id, channelId, platform, profileId } };
}

function profileRecipient(owner: FoundProfile | null | undefined): Recipient {
  if (!owner) return { kind: 'profile_not_found' };
  if (owner.chat) return { kind: 'found', chat: owner.chat };
  return { kind: 'no_chat', profileId: owner.profileId, phoneNumber: owner.phoneNumber };
}
