import type { Platform } from '../../channels/contract/platforms.ts';
import type { Actor } from '../../clients/profiles/audit.ts';
import type { Context } from '../../platform/context.ts';
import { openChatByPhone } from '../chats/open.ts';
import type { Recipient, RecipientChat } from '../chats/recipients.ts';
import { opensOn } from './rules.ts';
import type { ContentType } from './schema.ts';

/** Nobody is reachable, for this reason. The profile may be known nevertheless. */
export type Nobody = { kind: 'nobody'; detail: string; profileId: string | null };

export type Reached = { kind: 'chat'; chat: RecipientChat } | Nobody;

/** How a message can reach its recipient, before any change is made. */
export type Reach = Reached | { kind: 'opens'; platform: Platform; profileId: string; phone: string };

export function reachOf(recipient: Recipient, type: ContentType): Reach {
  switch (recipient.kind) {
    case 'found':
      return { kind: 'chat', chat: recipient.chat };
    case 'chat_not_found':
      return { kind: 'nobody', detail: noChat, profileId: null };
    case 'profile_not_found':
      return { kind: 'nobody', detail: 'Profile not found.', profileId: null };
    case 'no_chat': {
      const { profileId, phoneNumber: phone } = recipient;
      const platform = opensOn(type);
      if (platform && phone) return { kind: 'opens', platform, profileId, phone };
      return { kind: 'nobody', detail: noChat, profileId };
    }
  }
}

const noChat = 'Chat not found.';

/** The platform of the message. Null when nobody gets it. */
export function platformOf(reach: Reach): Platform | null {
  switch (reach.kind) {
    case 'chat':
      return reach.chat.platform;
    case 'opens':
      return reach.platform;
    case 'nobody':
      return null;
  }
}

/** Opens the chat if the recipient has none yet. */
export async function openReach(
  context: Context,
  projectId: string,
  reach: Reach,
  actor: Actor,
): Promise<Reached> {
  if (reach.kind !== 'opens') return reach;
  const { profileId, platform, phone } = reach;
  const chat = await openChatByPhone(context, projectId, profileId, platform, phone, actor);
  return chat ? { kind: 'chat', chat } : { kind: 'nobody', detail: noChat, profileId };
}
