import { setTimeout as pause, setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { createOwnersInTurn } from '../owners-in-turn.ts';

/** Others wait while this much is parsed and checked. It takes a few milliseconds. */
const mostAtOnce = 256 * 1024;

/** Resolves when the caller's body may be parsed. Throws if the caller is gone by then. */
export type BodyTurn = (owner: string, bytes: number, reply: FastifyReply) => Promise<void>;

/**
 * Owners take turns with their large bodies, and between them the process serves others for as long as they took.
 * Bodies that arrive together would otherwise be parsed in one go, and nobody else would be answered meanwhile.
 */
export function largeBodiesInTurn(): BodyTurn {
  const turns = createOwnersInTurn(1);
  let begun = 0;

  /** The body that has its turn is parsed within this turn of the event loop. */
  async function rest(leave: () => void): Promise<void> {
    begun = 0;
    const start = performance.now();
    await turnOfTheLoop();
    await pause(performance.now() - start);
    leave();
  }

  function began(bytes: number, leave: () => void): void {
    begun += bytes;
    if (begun < mostAtOnce) queueMicrotask(leave);
    else void rest(leave);
  }

  return (owner, bytes, { raw }) =>
    new Promise((resolve, reject) => {
      let isGone = false;
      const gone = (): void => {
        isGone = true;
        reject(new Error('The caller has gone.'));
      };
      if (raw.destroyed) return gone();
      raw.once('close', gone);
      turns.take(owner, (leave) => {
        raw.off('close', gone);
        // A body that nobody waits for takes no time.
        if (isGone) return queueMicrotask(leave);
        resolve();
        began(bytes, leave);
      });
    });
}
