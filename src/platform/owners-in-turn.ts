/** Places that owners take in turns. */
export type OwnersInTurn = {
  /** Calls `begin` when the owner has a place: at once if one is free. It gets the function that gives the place back. */
  take(owner: string, begin: (leave: () => void) => void): void;
};

type Begin = (leave: () => void) => void;

/**
 * One owner may wait for hundreds of places. Another who comes later gets the next place that becomes free, and then it
 * is the first one's turn again. No owner has more than half of the places, so that another finds one free. The
 * program itself, whose owner is '', may have all.
 */
export function createOwnersInTurn(places: number): OwnersInTurn {
  const mostOfOwner = Math.max(1, places >> 1);
  const taken = new Map<string, number>();
  /** What waits, by owner. The first owner is next. */
  const waiting = new Map<string, Begin[]>();
  let free = places;

  const mayBegin = (owner: string): boolean => owner === '' || (taken.get(owner) ?? 0) < mostOfOwner;

  function change(owner: string, by: 1 | -1): void {
    const left = (taken.get(owner) ?? 0) + by;
    if (left === 0) taken.delete(owner);
    else taken.set(owner, left);
    free -= by;
  }

  function beginNext(): void {
    if (free === 0) return;
    for (const [owner, begins] of waiting) {
      if (!mayBegin(owner)) continue;
      const begin = begins.shift();
      waiting.delete(owner);
      if (begins.length > 0) waiting.set(owner, begins);
      change(owner, 1);
      begin?.(() => leave(owner));
      return;
    }
  }

  function leave(owner: string): void {
    change(owner, -1);
    beginNext();
  }

  return {
    take(owner, begin) {
      const begins = waiting.get(owner);
      if (begins) begins.push(begin);
      else waiting.set(owner, [begin]);
      beginNext();
    },
  };
}
