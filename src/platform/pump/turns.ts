import { outside } from '../work.ts';

/** A batch with calls to flush. */
export type Flusher = {
  /** The number of calls that wait for the flush. */
  waiting(): number;
  /** Never fails. */
  flush(): Promise<void>;
};

/** Decides when a batch that asks may flush. */
export type Turns = { ask(flusher: Flusher): void };

// Requests are read from their sockets one callback after another. An immediate runs when all are read. A microtask
// would run after the first.
/** Every batch has its turn at the end of this turn of the event loop. */
export const ownTurn: Turns = { ask: (flusher) => void setImmediate(() => outside(() => flusher.flush())) };

/** A flush that takes longer may be waiting for a lock. It no longer blocks the other batches. */
const longestTurnMs = 100;

/** How often fuller batches may go first. More often would keep a quiet batch waiting. */
const mostPassedOver = 2;

/**
 * One flush at a time over several batches, the fullest first. A request passes through all of them, so that each
 * gathers while another is flushed. Side by side, each would flush a few calls, and the number of statements costs
 * more than their rows. A batch that was passed over twice is next, whatever the others have. One project's crowd in
 * one batch would otherwise delay every other request.
 */
export function createTurns(): Turns {
  /** How many turns each batch has been passed over, in the order of asking. */
  const asking = new Map<Flusher, number>();
  let isTaken = false;
  let isScheduled = false;

  function schedule(): void {
    if (isTaken || isScheduled || asking.size === 0) return;
    isScheduled = true;
    setImmediate(begin);
  }

  function begin(): void {
    isScheduled = false;
    const next = nextOf(asking);
    if (!next) return;
    asking.delete(next);
    for (const [other, turns] of asking) asking.set(other, turns + 1);
    isTaken = true;
    let isOver = false;
    const end = (): void => {
      clearTimeout(timer);
      if (isOver) return;
      isOver = true;
      isTaken = false;
      schedule();
    };
    const timer = setTimeout(end, longestTurnMs);
    void outside(() => next.flush()).then(end);
  }

  return {
    ask(flusher) {
      asking.set(flusher, 0);
      schedule();
    },
  };
}

/** The first that was passed over often enough, or else the fullest. */
function nextOf(asking: ReadonlyMap<Flusher, number>): Flusher | undefined {
  for (const [flusher, turns] of asking) if (turns >= mostPassedOver) return flusher;
  return [...asking.keys()].toSorted((a, b) => b.waiting() - a.waiting())[0];
}
