import type { Platform } from '../../channels/contract/platforms.ts';
import { capabilitiesOf } from '../../channels/registry.ts';
import type { Actor } from '../../clients/profiles/audit.ts';
import { addProfilesWithPhones } from '../../clients/profiles/phone-profiles-store.ts';
import type { Context } from '../../platform/context.ts';
import { addChatsWithPhones } from './phone-chats-store.ts';
import { firstChannel } from './store.ts';

/**
 * Opens chats for phone numbers (E.164, each once) that have none on these platforms, with their profiles where nobody has
 * the number. Doing it again makes nothing more. False when the project has no channel that can.
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
  // Whoever adds several takes them in the same order, and nobody waits in a circle.
  const sorted = numbers.toSorted();
  const profiles = sorted.map((phone) => ({ phone, id: newId(), record_id: newId() }));
  await addProfilesWithPhones(sql, projectId, profiles, actor, now);
  const chats = sorted.map((phone) => ({ phone, id: newId() }));
  await addChatsWithPhones(sql, channel, chats, now);
  return true;
}
