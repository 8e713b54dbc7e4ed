import { chatPatienceMs, isOfChat, lessonOf } from '../../channels/connected/pace.ts';
import { noteRefusals, pausePace } from '../../channels/connected/pace-store.ts';
import type { Pool } from '../../platform/database/database.ts';
import { lastSent, pauseChat } from './learn-store.ts';

/** A call that was refused by a rate limit. */
export type Refusal = { chatId: string; pauseMs: number; scope: 'chat' | 'channel' };

/**
 * Applies the rate limits of a channel. Those of a chat delay that chat. The others delay the channel, which learns
 * its pace from them.
 * @param sentTo the chats that got a message together with these
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

/** The end of the longest pause of each. */
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
