import { type Bounds, createConcurrency } from './concurrency.ts';

/** The claimed items of all lanes. */
export type Load = { taken: number; readonly most: number };

/** Those of the lanes of one owner, such as a project. */
export type Share = Pick<Load, 'taken'>;

export type LaneOptions = {
  load: Load;
  /** Shared by the lanes of an owner. */
  share: Share;
  /** The minimum and maximum number of places. May change at any time. */
  bounds(): Bounds;
  /** Whether items are claimed before their place is free. */
  isAhead: boolean;
};

/**
 * The claimed items of one lane. An item is in a place from its start until its result is written. Items without a
 * place are ready. Times are milliseconds of any clock.
 */
export type LaneItems<Item> = {
  /** Items in places, ready items, those that are given back, and those that a running claim asks for. */
  taken(): number;
  /** The number of items that may be claimed now. */
  free(): number;
  /** Work is due after a rest, whose time counts for no place. */
  woke(now: number): void;
  /** Keeps room for a claim until it is settled. */
  reserve(count: number): void;
  /** The claim took these items of the room that it reserved. */
  settle(reserved: number, items: Item[], now: number): void;
  /** Puts ready items into free places. */
  fill(now: number): Begun<Item>[];
  /** The item's place is free again. */
  leave(since: number, now: number): void;
  /** Ready items that may have changed since their claim. They never begin, and count until they are given back. */
  takeStale(now: number): Item[];
  /** All ready items, in the same way. */
  takeReady(): Item[];
  /** These items are in the queue again. */
  gaveBack(count: number): void;
  /** Until this is written, nothing is claimed or started. */
  outdateUntil(written: Promise<void>): Promise<void>;
};

/** An item in a place, and the time since when it counts as taken. */
export type Begun<Item> = { item: Item; since: number };

/** The work that is claimed ahead. It is as long as a slow claim takes. */
const aheadMs = 20;
/** Older claims do not know whether their channel was paused or their mailing was stopped. */
const freshMs = 250;

export function createLaneItems<Item>({ load, share, bounds, isAhead }: LaneOptions): LaneItems<Item> {
  const concurrency = createConcurrency();
  /** The oldest first. */
  let ready: { item: Item; claimedAt: number }[] = [];
  let active = 0;
  let reserved = 0;
  let returning = 0;
  let outdating = 0;
  /** The time since when places have waited for a claim. */
  let waitingSince: number | null = null;

  const taken = (): number => reserved + ready.length + active + returning;

  function count(by: number): void {
    load.taken += by;
    share.taken += by;
  }

  function takeFirst(count: number): Item[] {
    const first = ready.slice(0, count);
    ready = ready.slice(count);
    return first.map(({ item }) => item);
  }

  function withdraw(count: number): Item[] {
    if (!isAhead) return [];
    returning += count;
    return takeFirst(count);
  }

  return {
    taken,
    /** At most as much as is left for all other owners. However many lanes of an owner hang, others find as much. */
    free() {
      if (outdating > 0) return 0;
      const room = concurrency.places(bounds()) + (isAhead ? concurrency.ahead(aheadMs) : 0);
      const fair = (load.most - load.taken - share.taken) >> 1;
      return Math.max(0, Math.min(room - taken(), fair));
    },
    woke(now) {
      waitingSince = ready.length > 0 ? null : now;
    },
    reserve(room) {
      reserved += room;
      count(room);
    },
    settle(room, items, now) {
      if (items.length < room) concurrency.ranShort();
      reserved -= room;
      count(items.length - room);
      ready.push(...items.map((item) => ({ item, claimedAt: now })));
    },
    fill(now) {
      const places = concurrency.places(bounds());
      const items = takeFirst(Math.max(0, places - active));
      const since = waitingSince ?? now;
      active += items.length;
      if (active >= places) waitingSince = null;
      // An older time would make turns longer with each claim that leaves a place free.
      else if (items.length > 0 || waitingSince === null) waitingSince = now;
      return items.map((item) => ({ item, since }));
    },
    leave(since, now) {
      active -= 1;
      count(-1);
      concurrency.turned(since, now);
    },
    takeStale(now) {
      const fresh = ready.findIndex(({ claimedAt }) => now - claimedAt < freshMs);
      return withdraw(outdating > 0 || fresh === -1 ? ready.length : fresh);
    },
    takeReady: () => withdraw(ready.length),
    gaveBack(given) {
      returning -= given;
      count(-given);
    },
    async outdateUntil(written) {
      outdating += 1;
      await written;
      outdating -= 1;
    },
  };
}
