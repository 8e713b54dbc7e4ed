import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Profile } from '../../../src/clients/profiles/schema.ts';
import type {
  ChatCounts,
  ChatEntry,
  ChatList,
  ChatPage,
  QuickAnswers,
  Timeline,
} from '../../../src/people/chat-center/schema.ts';
import { useDesk } from './desk.tsx';

/** The live stream updates these data, so polling is rare and only corrects missed changes. */
const liveForMs = 5 * 60_000;

export function useChats(list: ChatList, search: string) {
  const { api, cache } = useDesk();
  return useInfiniteQuery({
    queryKey: cache.keys.list(list, search),
    queryFn: ({ pageParam, signal }) =>
      cache.asked(api.get<ChatPage>('chats/', { list, search, before: pageParam }, signal)),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: search ? 0 : liveForMs,
  });
}

export function useCounts() {
  const { api, cache } = useDesk();
  return useQuery({
    queryKey: cache.keys.counts,
    queryFn: ({ signal }) => api.get<ChatCounts>('counts/', {}, signal),
    staleTime: liveForMs,
  });
}

export function useChat(chat: string) {
  const { api, cache } = useDesk();
  return useQuery({
    queryKey: cache.keys.chat(chat),
    queryFn: ({ signal }) => cache.asked(api.get<ChatEntry>(`chats/${chat}/`, {}, signal)),
    placeholderData: () => cache.findChat(chat),
    staleTime: liveForMs,
  });
}

/**
 * The history of a chat, newest page first. The live stream leaves mailings out, so every opening reloads the
 * history.
 */
export function useTimeline(chat: string) {
  const { api, cache } = useDesk();
  return useInfiniteQuery({
    queryKey: cache.keys.timeline(chat),
    queryFn: ({ pageParam, signal }) =>
      cache.asked(api.get<Timeline>(`chats/${chat}/messages/`, { before: pageParam }, signal)),
    initialPageParam: '',
    getNextPageParam: ({ has_older, results }) => (has_older ? results[0]?.uuid : undefined),
    staleTime: liveForMs,
    refetchOnMount: 'always',
  });
}

export function useClient(chat: string) {
  const { api, cache } = useDesk();
  return useQuery({
    queryKey: cache.keys.client(chat),
    queryFn: ({ signal }) => api.get<Profile>(`chats/${chat}/profile/`, {}, signal),
  });
}

export function useQuickAnswers(enabled = true) {
  const { api, cache } = useDesk();
  return useQuery({
    queryKey: cache.keys.quickAnswers,
    queryFn: ({ signal }) => api.get<QuickAnswers>('quick-answers/', {}, signal),
    staleTime: liveForMs,
    enabled,
  });
}
