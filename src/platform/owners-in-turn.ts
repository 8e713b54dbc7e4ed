/** Places that owners take in turns. */
export type OwnersInTurn = {
  /** Calls `begin` when the owner has a place: at once if one is free. */
  take(owner: string, begin: () => void): void;
  /** Gives a place to the next owner in turn. */
  leave(): void;
};

/**
 * One owner may wait for hundreds of places. Another who comes later gets the next place that becomes free, and then it
 * is the first one's turn again.
 */
export function createOwnersInTurn(places: number): OwnersInTurn {
  let free = places;
  /** What waits, by owner. The first owner is next. */
  const waiting = new Map<string, (() => void)[]>();

  function beginNext(): void {
    const [next] = waiting;
    if (!next) return;
    const [owner, begins] = next;
    const begin = begins.shift();
    waiting.delete(owner);
    if (begins.length > 0) waiting.set(owner, begins);
    free -= 1;
    begin?.();
  }

  return {
    take(owner, begin) {
      const begins = waiting.get(owner);
      if (begins) begins.push(begin);
      else waiting.set(owner, [begin]);
      if (free > 0) beginNext();
    },
    leave() {
      free += 1;
      beginNext();
    },
  };
}
