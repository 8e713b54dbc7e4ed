import type { ChatEntry, ChatList } from '../../../../src/people/chat-center/schema.ts';
import type { Chats } from './cache.ts';

/**
 * Whether a chat is in a list, by the rules of the server. An entry does not show whether an earlier session was
 * closed. `before` does, if the chat was known.
 */
export function belongsTo(
  list: ChatList,
  { session, unread }: ChatEntry,
  before: ChatEntry | undefined,
  me: string,
): boolean | 'as before' {
  switch (list) {
    case 'all':
      return true;
    case 'mine':
      return session?.operator?.uuid === me;
    case 'waiting':
      return session ? session.operator === null : unread > 0;
    case 'closed':
      if (session) return false;
      return before?.session ? true : 'as before';
  }
}

type Place = { list: ChatList; belongs: boolean | 'as before'; isSearch: boolean };

/** The loaded pages of a list with this chat in its place, or without it. */
export function withChat(data: Chats, chat: ChatEntry, { list, belongs, isSearch }: Place): Chats {
  const known = data.pages.flatMap(({ results }) => results).find(({ uuid }) => uuid === chat.uuid);
  if (belongs === false) return known ? without(data, chat) : data;
  const stays = known !== undefined && (list === 'closed' || known.last_active_at === chat.last_active_at);
  if (stays || (known && isSearch)) return replaced(data, chat);
  if (isSearch || (belongs === 'as before' && !known)) return data;
  return inserted(without(data, chat), chat, list);
}

const without = (data: Chats, { uuid }: ChatEntry): Chats =>
  onPages(data, (results) => results.filter((one) => one.uuid !== uuid));

const replaced = (data: Chats, chat: ChatEntry): Chats =>
  onPages(data, (results) => results.map((one) => (one.uuid === chat.uuid ? chat : one)));

/** A chat after the end of the loaded pages waits for its page, unless all pages are loaded. */
function inserted(data: Chats, chat: ChatEntry, list: ChatList): Chats {
  const isNewer = (other: ChatEntry): boolean =>
    list === 'closed' || chat.last_active_at >= other.last_active_at;
  const found = data.pages.findIndex(({ results }) => results.some(isNewer));
  const last = data.pages.length - 1;
  if (found < 0 && data.pages[last]?.next) return data;
  const position = found < 0 ? last : found;
  return onPages(data, (results, page) => {
    if (page !== position) return results;
    const before = results.findIndex(isNewer);
    return results.toSpliced(before < 0 ? results.length : before, 0, chat);
  });
}

const onPages = (data: Chats, change: (results: ChatEntry[], page: number) => ChatEntry[]): Chats => ({
  ...data,
  pages: data.pages.map((page, position) => ({ ...page, results: change(page.results, position) })),
});
