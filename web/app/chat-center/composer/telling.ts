import { useRef } from 'react';
import { useDesk } from '../desk.tsx';

const againAfterMs = 3_000;

/** Tells the others that somebody writes in this chat, now and then while it lasts. */
export function useTelling(chat: string): () => void {
  const { api } = useDesk();
  const toldAt = useRef(Number.NEGATIVE_INFINITY);
  return () => {
    if (performance.now() - toldAt.current < againAfterMs) return;
    toldAt.current = performance.now();
    // Nobody misses much without it.
    api.post(`chats/${chat}/typing/`).catch(() => {});
  };
}
