import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type {
  ChatCenterAccount,
  ChatCounts,
  ChatEntry,
  ChatPage,
  Timeline,
  TimelineEntry,
} from '../../../../src/people/chat-center/schema.ts';
import { isList } from '../address.ts';
import { belongsTo, withChat } from './lists.ts';
import { withEntry } from './timeline.ts';

export type Chats = InfiniteData<ChatPage, string>;
export type History = InfiniteData<Timeline, string>;

/** The keys of everything that is asked of the server. */
export const keysOf = (project: string) => ({
  all: [project],
  lists: [project, 'chats'],
  list: (list: string, search: string) => [project, 'chats', list, search],
  counts: [project, 'counts'],
  chat: (chat: string) => [project, 'chat', chat],
  timeline: (chat: string) => [project, 'timeline', chat],
  client: (chat: string) => [project, 'client', chat],
  quickAnswers: [project, 'quick-answers'],
});

export type Cache = ReturnType<typeof createCache>;

/** How many changes are remembered for answers that are on their way meanwhile. */
const remembered = 500;

/** What is known of chats on this page, kept right by what the server tells live. */
export function createCache(queries: QueryClient, { operator, project }: ChatCenterAccount) {
  const keys = keysOf(project.uuid);
  const changes: (() => void)[] = [];
  let made = 0;

  /** Changes what is known, now and again after every answer that was asked for before. */
  function change(apply: () => void): void {
    changes[made % remembered] = apply;
    made += 1;
    apply();
  }

  function placeChat(chat: ChatEntry): void {
    const before = findChat(chat.uuid);
    queries.setQueryData<ChatEntry>(keys.chat(chat.uuid), (known) => known && chat);
    for (const [key, data] of queries.getQueriesData<Chats>({ queryKey: keys.lists })) {
      const [, , list, search] = key;
      if (!data || typeof list !== 'string' || !isList(list)) continue;
      const belongs = belongsTo(list, chat, before, operator.uuid);
      queries.setQueryData<Chats>(key, withChat(data, chat, { list, belongs, isSearch: search !== '' }));
    }
  }

  function findChat(uuid: string): ChatEntry | undefined {
    const lists = queries.getQueriesData<Chats>({ queryKey: keys.lists });
    const pages = lists.flatMap(([, data]) => data?.pages ?? []);
    return (
      queries.getQueryData<ChatEntry>(keys.chat(uuid)) ??
      pages.flatMap(({ results }) => results).find((chat) => chat.uuid === uuid)
    );
  }

  return {
    keys,
    findChat,
    putChat: (chat: ChatEntry) => change(() => placeChat(chat)),
    putEntry: (chat: string, entry: TimelineEntry) =>
      change(() =>
        queries.setQueryData<History>(keys.timeline(chat), (known) => known && withEntry(known, entry)),
      ),
    putCounts: (counts: ChatCounts) => queries.setQueryData(keys.counts, counts),
    /** An answer may be older than what was told live while it was under way: that is put on top of it. */
    async asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
      const from = made;
      const given = await answer;
      setTimeout(() => {
        for (let n = Math.max(from, made - remembered); n < made; n += 1) changes[n % remembered]?.();
      });
      return given;
    },
    /** Asks for everything anew: nobody knows what was missed. */
    forget: () => queries.invalidateQueries({ queryKey: keys.all }),
  };
}
