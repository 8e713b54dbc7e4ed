import type { Correspondent } from '../../channels/contract/inbound.ts';
import { adapterFor } from '../../channels/registry.ts';
import { type Actor, entryBy } from '../../clients/profiles/audit.ts';
import type { Context } from '../../platform/context.ts';
import { isMissingRow } from '../../platform/database/missing-row.ts';
import { normalizePhone } from '../../platform/phone.ts';
import { NotFound } from '../../platform/problem.ts';
import { freeAddress, keepLastingId, readdressChat } from './lasting-ids-store.ts';
import { learnPhone } from './learn-phone.ts';
import {
  type ChatAddress,
  type ChatChannel,
  type ChatRow,
  type FoundChat,
  findChatsAt,
  insertChat,
} from './store.ts';

type Needs = Pick<Context, 'sql' | 'newId' | 'clock' | 'wake'>;

/**
 * The chat of a client on a channel. The first contact creates the chat and its profile, once under concurrent calls.
 * A client with the phone number of a known profile joins that profile.
 * @param actor the author of the change: the channel when the client writes, otherwise the one who opens the chat
 * @param chatAt finds chats; concurrent calls may share its statement
 */
export async function chatOf(
  context: Needs,
  channel: ChatChannel,
  who: Correspondent,
  actor: Actor = { type: 'channel', name: channel.name },
  chatAt = oneChat(context),
): Promise<ChatRow> {
  const phone = who.phone === undefined ? null : normalizePhone(who.phone);
  const address = { channel, externalId: who.externalId, lastingId: who.lastingId };
  const known = await chatAt(address);
  if (!known?.isSettled && who.lastingId !== undefined) {
    await freeAddress(context.sql, channel, { ...who, lastingId: who.lastingId });
  }
  if (known) {
    await settle(context, known, who);
    return phone && phone !== known.phone ? learnPhone(context, known, phone, actor) : known;
  }

  await makeChat(context, channel, who, phone, actor);
  const made = await chatAt(address);
  if (!made) throw new Error('a chat that was just created is missing');
  await settle(context, made, who);
  return made;
}

/** The next message finds the chat by the client's lasting id, and ours reach the client at the current address. */
async function settle(
  { sql, clock }: Needs,
  chat: FoundChat,
  { externalId, lastingId }: Correspondent,
): Promise<void> {
  if (lastingId === undefined || chat.isSettled) return;
  if (lastingId !== externalId) await keepLastingId(sql, chat, lastingId, clock.now());
  await readdressChat(sql, chat, externalId);
}

const oneChat =
  ({ sql }: Needs) =>
  async (address: ChatAddress): Promise<FoundChat | undefined> =>
    (await findChatsAt(sql, [address]))[0];

async function makeChat(
  context: Needs,
  channel: ChatChannel,
  who: Correspondent,
  phone: string | null,
  actor: Actor,
): Promise<void> {
  const { sql, newId, wake } = context;
  const entry = entryBy(actor, context);
  const isToBeNamed = who.name === undefined && adapterFor(channel.platform).namesOf !== undefined;
  const profile = { projectId: channel.projectId, id: newId(), name: who.name ?? null };
  const chat = {
    project_id: channel.projectId,
    id: newId(),
    channel_id: channel.id,
    platform: channel.platform,
    external_id: who.externalId,
    name: who.name ?? null,
    username: who.username ?? null,
    phone,
    created_at: entry.now,
    name_due_at: isToBeNamed ? entry.now : null,
  };
  try {
    await insertChat(sql, chat, profile, entry);
  } catch (error) {
    // The channel was deleted since it was read.
    if (isMissingRow(error, 'chats_project_id_channel_id_fkey')) throw new NotFound();
    throw error;
  }
  if (isToBeNamed) wake.wake('names');
}
