import { noRests, type Rests } from './rests.ts';

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
export function createOwnersInTurn(places: number, rests: Rests = noRests): OwnersInTurn {
  const mostOfOwner = Math.max(1, places >> 1);
  const taken = new Map<string, number>();
  /** What waits, by owner. The first owner is next. */
  const waiting = new Map<string, Begin[]>();
  let free = places;
  let restsEnd: NodeJS.Timeout | undefined;

  function mayBegin(owner: string): boolean {
    if (owner === '') return true;
    const most = rests.hasRested(owner) ? 1 : mostOfOwner;
    return rests.left(owner) === 0 && (taken.get(owner) ?? 0) < most;
  }

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
      const begun = performance.now();
      begin?.(() => leave(owner, begun));
      return;
    }
    awaitRests();
  }

  /** Only those who rest are left, or those with as many places as they may have. */
  function awaitRests(): void {
    clearTimeout(restsEnd);
    if (waiting.size === 0) return;
    const rest = Math.min(...[...waiting.keys()].map(rests.left).filter((left) => left > 0));
    if (rest < Number.POSITIVE_INFINITY) restsEnd = setTimeout(beginNext, rest);
  }

  const hasOthers = (owner: string): boolean =>
    [...taken.keys(), ...waiting.keys()].some((other) => other !== owner);

  function leave(owner: string, begun: number): void {
    change(owner, -1);
    rests.note(owner, begun, () => hasOthers(owner));
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
