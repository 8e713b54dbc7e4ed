import type { Sql } from '../../platform/database/database.ts';
import { eventText } from '../../platform/http/event-stream.ts';
import { findEntries } from './chats-store.ts';
import { findLatestChats, type NewsRow } from './feed-store.ts';
import { presentEntry, presentTimelineEntry } from './present.ts';
import type { LiveEvents } from './schema.ts';
import { findTimelineEntries, measureEntries } from './timeline-store.ts';

/** An event for the operators who may see the client. */
export type FeedItem = { profileId: string } & (
  | { event: 'entry'; data: LiveEvents['entry'] }
  | { event: 'chat'; data: LiveEvents['chat'] }
);

/** News that are read and sent at once. `upTo` is the cursor to resume from after them. */
export type Piece = { news: NewsRow[]; upTo: string };

/** After a larger gap, a reload is faster. */
export const mostNews = 500;
const mostBytes = 1024 * 1024;
const mostNewsOfPiece = 50;
const mostBytesOfPiece = 64 * 1024;

/**
 * Cuts news into pieces before their contents are read. Null if they are more than a page should get.
 * A single entry may be larger than a piece, and is then a piece of its own.
 */
export async function cutNews(
  sql: Sql,
  projectId: string,
  news: readonly NewsRow[],
  upTo: string,
): Promise<Piece[] | null> {
  if (news.length > mostNews) return null;
  const cut: NewsRow[][] = [];
  let bytes = 0;
  for (let from = 0; from < news.length; from += mostNewsOfPiece) {
    const some = news.slice(from, from + mostNewsOfPiece);
    const bytesOf = await measureEntries(sql, projectId, entriesOf(some));
    const sizes = some.map(({ entry_id }) => (entry_id && bytesOf.get(entry_id)) || 0);
    bytes += sizes.reduce((sum, size) => sum + size, 0);
    if (bytes > mostBytes) return null;
    cut.push(...cutBySizes(some, sizes));
  }
  return cut.map((piece, index) => ({
    news: piece,
    upTo: earlier(cut[index + 1]?.[0]?.written_by ?? upTo, upTo),
  }));
}

function cutBySizes(news: readonly NewsRow[], sizes: readonly number[]): NewsRow[][] {
  const cut: NewsRow[][] = [];
  let room = 0;
  for (const [index, row] of news.entries()) {
    const size = sizes[index] ?? 0;
    const last = cut.at(-1);
    if (last && size <= room) {
      last.push(row);
      room -= size;
    } else {
      cut.push([row]);
      room = mostBytesOfPiece - size;
    }
  }
  return cut;
}

const earlier = (a: string, b: string): string => (BigInt(a) < BigInt(b) ? a : b);

/** A page shows a client's name at each of their chats. The older ones are updated when it reloads. */
const renamedChats = { ofEach: 20, most: 500 };

/** The history entries of news, each once. */
function entriesOf(news: readonly NewsRow[]): { chat_id: string; entry_id: string }[] {
  const entries = new Map<string, { chat_id: string; entry_id: string }>();
  for (const { chat_id, entry_id } of news) if (entry_id) entries.set(entry_id, { chat_id, entry_id });
  return [...entries.values()];
}

/** The events for a project's news: first the new history entries, then the changed chats. */
export async function tellingOf(sql: Sql, projectId: string, news: readonly NewsRow[]): Promise<FeedItem[]> {
  const wanted = entriesOf(news);
  const renamed = [...new Set(news.flatMap(({ profile_id }) => profile_id ?? []))];
  const named = renamed.length === 0 ? [] : await findLatestChats(sql, projectId, renamed, renamedChats);
  const chatIds = [...new Set([...news.map(({ chat_id }) => chat_id), ...named])];
  const [entries, chats] = await Promise.all([
    wanted.length === 0 ? [] : findTimelineEntries(sql, projectId, wanted),
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

/** The events of a piece. Only the last has the cursor. After a disconnect before it, all of them are sent again. */
export const textOf = (told: readonly FeedItem[], upTo: string): string =>
  told
    .map(({ event, data }, index) => eventText(event, data, index === told.length - 1 ? upTo : undefined))
    .join('');

/** The events that an operator may see: those of one client, or all if `profileId` is null. */
export const seenBy = (profileId: string | null, told: readonly FeedItem[]): readonly FeedItem[] =>
  profileId === null ? told : told.filter((one) => one.profileId === profileId);
