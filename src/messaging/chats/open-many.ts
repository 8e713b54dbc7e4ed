import type { Platform } from '../../channels/contract/platforms.ts';
import { capabilitiesOf } from '../../channels/registry.ts';
import type { Actor } from '../../clients/profiles/audit.ts';
import { addProfilesWithPhones } from '../../clients/profiles/phone-profiles-store.ts';
import type { Context } from '../../platform/context.ts';
import { addChatsWithPhones } from './phone-chats-store.ts';
import { firstChannel } from './store.ts';

/**
 * Opens chats for phone numbers (E.164, each once) that have none on these platforms. Numbers without a profile get
 * one. A repeated call creates nothing more. False when the project has no suitable channel.
 */
export async function openChatsByPhone(
  { sql, newId, clock }: Pick<Context, 'sql' | 'newId' | 'clock'>,
  projectId: string,
  platforms: readonly Platform[],
  numbers: readonly string[],
  actor: Actor,
): Promise<boolean> {
  const able = platforms.filter((platform) => capabilitiesOf(platform).opensBy.includes('phone'));
  const channel = await firstChannel(sql, projectId, able);
  if (!channel) return false;
  const now = clock.now();
  // Concurrent calls take the numbers in the same order, so that they cannot deadlock.
  const sorted = numbers.toSorted();
  const profiles = sorted.map((phone) => ({ phone, id: newId(), record_id: newId() }));
  await addProfilesWithPhones(sql, projectId, profiles, actor, now);
  const chats = sorted.map((phone) => ({ phone, id: newId() }));
  await addChatsWithPhones(sql, channel, chats, now);
  return true;
}
