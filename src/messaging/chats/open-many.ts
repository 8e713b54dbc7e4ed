import type { Platform } from '../../channels/contract/platforms.ts';
import { adapterFor } from '../../channels/registry.ts';
import type { Actor } from '../../clients/profiles/audit.ts';
import { addProfilesWithPhones } from '../../clients/profiles/many-store.ts';
import type { Context } from '../../platform/context.ts';
import { addChatsWithPhones } from './many-store.ts';
import { firstChannel } from './store.ts';

/**
 * Opens chats for phone numbers (E.164, each once) that have none on this platform, with their profiles where nobody has
 * the number. Doing it again makes nothing more. False when the project has no channel that can.
 */
export async function openChatsByPhone(
  { sql, newId, clock }: Pick<Context, 'sql' | 'newId' | 'clock'>,
  projectId: string,
  platform: Platform,
  numbers: readonly string[],
  actor: Actor,
): Promise<boolean> {
  const able = adapterFor(platform)?.opensBy.includes('phone') ?? true;
  const channel = able ? await firstChannel(sql, projectId, [platform]) : undefined;
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
