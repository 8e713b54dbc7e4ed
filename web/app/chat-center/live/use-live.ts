import { useEffect } from 'react';
import type { ChatEntry } from '../../../../src/people/chat-center/schema.ts';
import { placeNow } from '../address.ts';
import { type Desk, useDesk } from '../desk.tsx';
import { learnTime } from '../new-id.ts';
import { allowSound, beep } from './beep.ts';
import { keepLive } from './connection.ts';
import { type LiveEvent, readEvent } from './events.ts';

/** Keeps all data on this page current over one connection. */
export function useLive(): void {
  const desk = useDesk();
  useEffect(() => {
    const ending = new AbortController();
    const hear = listener(desk);
    void keepLive({
      signal: ending.signal,
      onState: desk.connection.set,
      open: async (lastId, signal) => {
        const headers = lastId ? { 'last-event-id': lastId } : undefined;
        const response = await desk.api.open('GET', 'live/', { signal, headers });
        learnTime(response.headers.get('date'));
        return response;
      },
      onEvent: (message) => {
        const event = readEvent(message);
        if (event) hear(event);
      },
    });
    const forgetSound = allowSound();
    return () => {
      ending.abort();
      forgetSound();
    };
  }, [desk]);
}

function listener({ cache, writers, outbox, account }: Desk): (event: LiveEvent) => void {
  const me = account.operator.uuid;
  return (event) => {
    switch (event.name) {
      case 'ready':
        if (!event.data.resumed) void cache.forget();
        return outbox.resume();
      case 'chat':
        if (isCallFor(me, event.data, cache.findChat(event.data.uuid))) beep();
        return cache.putChat(event.data);
      case 'entry':
        writers.forget(event.data.chat, event.data.entry.author?.uuid ?? null);
        return cache.putEntry(event.data.chat, event.data.entry);
      case 'typing':
        return writers.note(event.data);
      case 'counts':
        return cache.putCounts(event.data);
    }
  };
}

/** A client wrote in a chat of this operator, who is not looking at it. */
function isCallFor(me: string, { uuid, unread, session }: ChatEntry, before: ChatEntry | undefined): boolean {
  const isLookedAt = !document.hidden && placeNow().chat === uuid;
  const isTheirs = !session?.operator || session.operator.uuid === me;
  return isTheirs && !isLookedAt && unread > (before?.unread ?? 0);
}
