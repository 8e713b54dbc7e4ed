import type { Sql } from '../../platform/database/database.ts';
import { eventText } from '../../platform/http/event-stream.ts';
import { findEntries } from './chats-store.ts';
import type { NewsRow } from './feed-store.ts';
import { presentEntry, presentTimelineEntry } from './present.ts';
import type { LiveEvents } from './schema.ts';
import { findTimelineEntries } from './timeline-store.ts';

/** An event for the operators who may see the client. */
export type FeedItem = { profileId: string } & (
  | { event: 'entry'; data: LiveEvents['entry'] }
  | { event: 'chat'; data: LiveEvents['chat'] }
);

/** The events for a project's news: first the new history entries, then the changed chats. */
export async function tellingOf(sql: Sql, projectId: string, news: readonly NewsRow[]): Promise<FeedItem[]> {
  if (news.length === 0) return [];
  const wanted = new Map<string, { chat_id: string; entry_id: string }>();
  for (const { chat_id, entry_id } of news) if (entry_id) wanted.set(entry_id, { chat_id, entry_id });
  const chatIds = [...new Set(news.map(({ chat_id }) => chat_id))];
  const [entries, chats] = await Promise.all([
    wanted.size === 0 ? [] : findTimelineEntries(sql, projectId, [...wanted.values()]),
    findEntries(sql, projectId, chatIds),
  ]);
  const profileOf = new Map(chats.map(({ id, profile_id }) => [id, profile_id]));
  return [
    ...entries.map((row) => ({
      profileId: profileOf.get(row.chat_id) ?? '',
      event: 'entry' as const,
      data: { chat: row.chat_id, entry: presentTimelineEntry(row) },
    })),
    ...chats.map((row) => ({
      profileId: row.profile_id,
      event: 'chat' as const,
      data: presentEntry(row),
    })),
  ];
}

/** Only the last event has the cursor to resume from. After a disconnect before it, all of them are sent again. */
export const textOf = (told: readonly FeedItem[], upTo: string): string =>
  told
    .map(({ event, data }, index) => eventText(event, data, index === told.length - 1 ? upTo : undefined))
    .join('');

/** The events that an operator may see: those of one client, or all if `profileId` is null. */
export const seenBy = (profileId: string | null, told: readonly FeedItem[]): readonly FeedItem[] =>
  profileId === null ? told : told.filter((one) => one.profileId === profileId);
