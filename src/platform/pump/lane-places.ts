import { type Bounds, createConcurrency, type Turn } from './concurrency.ts';

/**
 * The places of one lane. An item is in a place from its start until its result is written. Times are milliseconds of
 * any clock.
 */
export type LanePlaces = {
  /** The number of items in places. */
  taken(): number;
  /** The number of items that may be in places now, or be claimed ahead of them. */
  room(): number;
  /** Work is due after a rest, whose time counts for no place. Ready items need no claim. */
  woke(now: number, hasReady: boolean): void;
  /** Takes free places for at most this many items. Returns their number, and the time since when they count. */
  take(most: number, now: number): { count: number; since: number };
  /** A place is free again. */
  leave(turn: Turn): void;
  /** There was less work than places. */
  ranShort(): void;
};

type Options = {
  /** The minimum and maximum number of places. May change at any time. */
  bounds(): Bounds;
  /** Whether items are claimed before their place is free. */
  isAhead: boolean;
};

/** The work that is claimed ahead. It is as long as a slow claim takes. */
const aheadMs = 50;

export function createLanePlaces({ bounds, isAhead }: Options): LanePlaces {
  const concurrency = createConcurrency();
  let active = 0;
  /** The time since when places have waited for a claim. */
  let waitingSince: number | null = null;

  return {
    taken: () => active,
    room: () => concurrency.places(bounds()) + (isAhead ? concurrency.ahead(aheadMs) : 0),
    woke(now, hasReady) {
      waitingSince = hasReady ? null : now;
    },
    take(most, now) {
      const places = concurrency.places(bounds());
      const count = Math.min(most, Math.max(0, places - active));
      const since = waitingSince ?? now;
      active += count;
      if (active >= places) waitingSince = null;
      // An older time would make turns longer with each claim that leaves a place free.
      else if (count > 0 || waitingSince === null) waitingSince = now;
      return { count, since };
    },
    leave(turn) {
      active -= 1;
      concurrency.turned(turn);
    },
    ranShort: concurrency.ranShort,
  };
}
