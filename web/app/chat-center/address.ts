import { useMemo, useSyncExternalStore } from 'react';
import type { ChatList } from '../../../src/people/chat-center/schema.ts';

export const lists: readonly ChatList[] = ['mine', 'waiting', 'all', 'closed'];

/** The state in the URL fragment: it survives a reload, and operators can share it. */
export type Place = {
  list: ChatList;
  /** The open chat, or empty. */
  chat: string;
  /** Whether the client column is shown on a screen too narrow for all columns. */
  client: boolean;
};

export const isList = (word: string): word is ChatList => lists.some((name) => name === word);

function read(hash: string): Place {
  const given = new URLSearchParams(hash.slice(1));
  const list = given.get('list') ?? '';
  return {
    list: isList(list) ? list : 'mine',
    chat: given.get('chat') ?? '',
    client: given.has('client'),
  };
}

/** The URL fragment of a place. */
export function linkTo({ list, chat, client }: Place): string {
  const search = new URLSearchParams({ list, ...(chat && { chat }), ...(client && { client: '1' }) });
  return `#${search}`;
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

const current = (): string => location.hash;

export const placeNow = (): Place => read(current());

export function go(change: Partial<Place>): void {
  location.hash = linkTo({ ...placeNow(), ...change });
}

export function usePlace(): Place {
  const hash = useSyncExternalStore(subscribe, current);
  return useMemo(() => read(hash), [hash]);
}
