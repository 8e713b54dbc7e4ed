import { chatPatienceMs, isOfChat, lessonOf } from '../../channels/connected/pace.ts';
import { noteRefusals, pausePace } from '../../channels/connected/pace-store.ts';
import type { Pool } from '../../platform/database/database.ts';
import { lastSent, pauseChat } from './learn-store.ts';

/** A call that was refused as one too many. */
export type Refusal = { chatId: string; pauseMs: number; scope: 'chat' | 'channel' };

/**
 * Obeys the refusals of a channel: those that are about a chat hold up that chat, the others the channel, which learns
 * from them how fast it may be.
 * @param sentTo the chats that had a message together with these
 */
export async function learn(
  sql: Pool,
  channelId: string,
  refusals: readonly Refusal[],
  sentTo: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  await sql.begin(async (tx) => {
    const window = await noteRefusals(tx, channelId, refusals.length, now);
    if (!window) return;
    const since = new Date(now.getTime() - chatPatienceMs);
    const chats = refusals.map(({ chatId }) => chatId);
    const latest = await lastSent(tx, window.project_id, chats, since);
    const hadOne = new Set([...sentTo, ...latest.map(({ chat_id }) => chat_id)]);
    const isChats = ({ scope, chatId }: Refusal) => isOfChat(scope, window, hadOne.has(chatId));
    const ofChats = refusals.filter(isChats);
    const ofChannel = refusals.filter((refusal) => !isChats(refusal));
    for (const [chatId, until] of longest(ofChats, ({ chatId }) => chatId, now)) {
      await pauseChat(tx, window.project_id, chatId, until);
    }
    for (const [, until] of longest(ofChannel, () => channelId, now)) {
      await pausePace(tx, channelId, { until, lesson: lessonOf(window), window }, now);
    }
  });
}

/** When the longest pause of each ends. */
function longest(
  refusals: readonly Refusal[],
  keyOf: (refusal: Refusal) => string,
  now: Date,
): Map<string, Date> {
  const ends = new Map<string, Date>();
  for (const refusal of refusals) {
    const end = new Date(now.getTime() + refusal.pauseMs);
    const known = ends.get(keyOf(refusal));
    if (!known || known < end) ends.set(keyOf(refusal), end);
  }
  return ends;
}
