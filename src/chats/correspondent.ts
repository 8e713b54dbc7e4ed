import type { Correspondent } from '../channels/contract.ts';
import type { Context } from '../context.ts';
import { normalizePhone } from '../lib/phone.ts';
import { claimPhone, profileOfPhone } from '../profiles/store.ts';
import { type ChatChannel, type ChatRow, findChatAt, insertChat, moveToPhone } from './store.ts';

/**
 * The chat of someone on a channel. The first contact makes the chat and its profile, once however many come at the
 * same time; whoever has the phone number of a known profile joins that profile.
 */
export async function chatOf(
  context: Pick<Context, 'sql' | 'newId'>,
  channel: ChatChannel,
  who: Correspondent,
  now: Date,
): Promise<ChatRow> {
  const phone = who.phone === undefined ? null : normalizePhone(who.phone);
  const known = await findChatAt(context.sql, channel, who.externalId);
  if (known) return phone && phone !== known.phone ? learnPhone(context, known, phone, now) : known;

  await makeChat(context, channel, who, phone, now);
  const made = await findChatAt(context.sql, channel, who.externalId);
  if (!made) throw new Error('a chat that was just made is not there');
  return made;
}

async function makeChat(
  { sql, newId }: Pick<Context, 'sql' | 'newId'>,
  channel: ChatChannel,
  who: Correspondent,
  phone: string | null,
  now: Date,
): Promise<void> {
  const profile = { projectId: channel.projectId, id: newId(), name: who.name ?? null, createdAt: now };
  const profileId = phone ? await profileOfPhone(sql, phone, profile) : profile.id;
  const chat = {
    project_id: channel.projectId,
    id: newId(),
    channel_id: channel.id,
    profile_id: profileId,
    platform: channel.platform,
    external_id: who.externalId,
    name: who.name ?? null,
    username: who.username ?? null,
    phone,
    created_at: now,
  };
  await insertChat(sql, chat, phone ? null : profile);
}

/** The number goes to the chat's own profile first, if it is free; then the chat goes to whoever has the number. */
async function learnPhone(
  { sql }: Pick<Context, 'sql'>,
  chat: ChatRow,
  phone: string,
  now: Date,
): Promise<ChatRow> {
  await claimPhone(sql, chat.project_id, chat.profile_id, phone, now);
  return { ...chat, phone, profile_id: await moveToPhone(sql, chat, phone) };
}
