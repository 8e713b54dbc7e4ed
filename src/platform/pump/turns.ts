/** A batch that has something to flush. */
export type Flusher = {
  /** How many calls wait for the flush. */
  waiting(): number;
  /** Never fails. */
  flush(): Promise<void>;
};

/** Says when a batch that asks may flush. */
export type Turns = { ask(flusher: Flusher): void };

// Requests are read from their sockets one callback after another; an immediate runs when all are read,
// a microtask would run after the first.
/** Everybody's turn is when this turn of the event loop ends. */
export const ownTurn: Turns = { ask: (flusher) => void setImmediate(() => flusher.flush()) };

/** A flush that takes longer may be waiting for a lock: it holds the other batches up no more. */
const longestTurnMs = 100;

/**
 * One flush at a time over several batches, the fullest first. A request goes through all of them, so that each gathers while
 * another is flushed. Were they flushed side by side, each would flush a few, and statements cost more by their number than by their rows.
 */
export function createTurns(): Turns {
  const asking = new Set<Flusher>();
  let isTaken = false;
  let isScheduled = false;

  function schedule(): void {
    if (isTaken || isScheduled || asking.size === 0) return;
    isScheduled = true;
    setImmediate(begin);
  }

  function begin(): void {
    isScheduled = false;
    const [fullest] = [...asking].toSorted((a, b) => b.waiting() - a.waiting());
    if (!fullest) return;
    asking.delete(fullest);
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
    void fullest.flush().then(end);
  }

  return {
    ask(flusher) {
      asking.add(flusher);
      schedule();
    },
  };
}
