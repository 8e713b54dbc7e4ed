import { useMemo, useSyncExternalStore } from 'react';
import type { ChatList } from '../../../src/people/chat-center/schema.ts';

export const lists: readonly ChatList[] = ['mine', 'waiting', 'all', 'closed'];

/** What the part of the address behind `#` says: it survives a reload, and can be handed to a colleague. */
export type Place = {
  list: ChatList;
  /** The open chat; empty where none is. */
  chat: string;
  /** Whether the client is looked at where there is no room for all columns. */
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

/** The place as a link. */
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
