import type { Platform } from '../../channels/contract/platforms.ts';
import { capabilitiesOf } from '../../channels/registry.ts';
import type { Actor } from '../../clients/profiles/audit.ts';
import { smallAscii } from '../../platform/ascii.ts';
import type { Context } from '../../platform/context.ts';
import { chatOf } from './correspondent.ts';
import type { RecipientChat } from './recipients.ts';
import { type ChatRow, firstChannel, moveToPhone } from './store.ts';

type Needs = Pick<Context, 'sql' | 'newId' | 'clock' | 'wake'>;

/**
 * Opens a chat with a client who has not written yet, for a profile with this phone number (E.164). Null when the
 * project has no such channel.
 */
export async function openChatByPhone(
  context: Needs,
  projectId: string,
  profileId: string,
  platform: Platform,
  phone: string,
  actor: Actor,
): Promise<RecipientChat | null> {
  const chat = await openChat(context, projectId, [platform], { phone }, actor);
  if (!chat) return null;
  // The chat at that address may belong to another profile, from a time when that profile had the number.
  const owner = chat.profile_id === profileId ? profileId : await moveToPhone(context.sql, chat, phone);
  return { id: chat.id, channelId: chat.channel_id, platform, profileId: owner };
}

/**
 * Opens a chat, with its profile. The first of these platforms with a channel that opens chats by this kind of key
 * is used. The chat's address is the phone number in E.164, or `@` and the lower-case name. Adapters that open chats
 * by either must address their clients so. Null when there is no such channel.
 */
export async function openChat(
  context: Needs,
  projectId: string,
  platforms: readonly Platform[],
  key: { phone: string } | { username: string },
  actor: Actor,
): Promise<ChatRow | null> {
  const by = 'phone' in key ? 'phone' : 'username';
  const able = platforms.filter((platform) => capabilitiesOf(platform).opensBy.includes(by));
  const channel = await firstChannel(context.sql, projectId, able);
  if (!channel) return null;
  const externalId = 'phone' in key ? key.phone : `@${smallAscii(key.username)}`;
  return chatOf(context, channel, { externalId, ...key }, actor);
}
