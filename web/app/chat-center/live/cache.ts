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

/** The keys of all server queries. */
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

/** The number of changes remembered for responses in flight. */
const remembered = 500;

/** The cached chats of this page, kept current by the live stream. */
export function createCache(queries: QueryClient, { operator, project }: ChatCenterAccount) {
  const keys = keysOf(project.uuid);
  const changes: (() => void)[] = [];
  let made = 0;

  /** Applies a change to the cache now, and again after every response that was requested earlier. */
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
    /** A response can be older than live events during its request. These events are applied on top of it. */
    async asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
      const from = made;
      const given = await answer;
      setTimeout(() => {
        for (let n = Math.max(from, made - remembered); n < made; n += 1) changes[n % remembered]?.();
      });
      return given;
    },
    /** Reloads everything, because missed events are unknown. */
    forget: () => queries.invalidateQueries({ queryKey: keys.all }),
  };
}
