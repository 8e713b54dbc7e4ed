import { keepLatest } from './outbox.ts';

/** Pressed buttons whose phones wait for Patchbay's answer. */
export type Presses = { wait(id: string, answered?: () => void): void; answer(id: string): void };

export function createPresses(): Presses {
  const waiting = new Map<string, () => void>();
  return {
    wait(id, answered) {
      if (answered) keepLatest(waiting, id, answered);
    },
    answer: (id) => waiting.get(id)?.(),
  };
}
