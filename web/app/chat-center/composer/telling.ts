import { useRef } from 'react';
import { useDesk } from '../desk.tsx';

const againAfterMs = 3_000;

/** Reports repeatedly that the operator is typing in this chat. */
export function useTelling(chat: string): () => void {
  const { api } = useDesk();
  const toldAt = useRef(Number.NEGATIVE_INFINITY);
  return () => {
    if (performance.now() - toldAt.current < againAfterMs) return;
    toldAt.current = performance.now();
    // A lost report does no harm.
    api.post(`chats/${chat}/typing/`).catch(() => {});
  };
}
