import { createPlaces } from '../places.ts';

/**
 * Who reads an answer: a project, or nobody in particular. Its bytes count until the answer is complete, or until then
 * if the reader keeps them for longer.
 */
export type Reader = { owner: string; until?: Promise<unknown> };

/** In bytes. Most answers are smaller, and are not counted. */
export const smallAnswer = 64 * 1024;

const mebibyte = 1024 * 1024;
/** An owner whose foreign server sends slowly takes no other owner's room. */
const most = { process: 256 * mebibyte, owner: 64 * mebibyte };

/** The memory for large answers in one process. */
export type AnswerRoom = {
  /** Calls `given` once there is room, at once if there is. Returns the function that gives it back, or ends the wait. */
  reserve(bytes: number, owner: string, given: () => void): () => void;
};

export function createAnswerRoom(): AnswerRoom {
  const places = createPlaces();
  /** The longest waiting first. */
  const waiting = new Set<() => void>();

  return {
    reserve(bytes, owner, given) {
      let leave: (() => void) | null = null;
      const attempt = (): void => {
        leave = places.take(bytes, [
          { subject: 'all', most: most.process },
          { subject: `of ${owner}`, most: most.owner },
        ]);
        if (!leave) return;
        waiting.delete(attempt);
        given();
      };
      waiting.add(attempt);
      attempt();
      return () => {
        waiting.delete(attempt);
        if (!leave) return;
        leave();
        leave = null;
        for (const other of [...waiting]) other();
      };
    },
  };
}
