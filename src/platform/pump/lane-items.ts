import type { Bounds, Turn } from './concurrency.ts';
import { createLanePlaces } from './lane-places.ts';

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
  leave(turn: Turn): void;
  /** Ready items that may have changed since their claim. They never begin, and count until they are given back. */
  takeStale(now: number): Item[];
  /** All ready items, in the same way. */
  takeReady(): Item[];
  /** These items are in the queue again. */
  gaveBack(count: number): void;
  /** Until this is written, nothing is claimed or started. What a running claim brings is stale. */
  outdateUntil(written: Promise<void>): Promise<void>;
};

/** An item in a place, and the time since when it counts as taken. */
export type Begun<Item> = { item: Item; since: number };

/** Older claims do not know whether their channel was paused or their mailing was stopped. */
const freshMs = 250;

export function createLaneItems<Item>({ load, share, bounds, isAhead }: LaneOptions): LaneItems<Item> {
  const places = createLanePlaces({ bounds, isAhead });
  const ready = createReady<Item>();
  let reserved = 0;
  let returning = 0;
  let outdating = 0;
  /** The running claim began before a result that outdates it. */
  let isClaimOutdated = false;

  const taken = (): number => reserved + ready.count() + places.taken() + returning;

  function count(by: number): void {
    load.taken += by;
    share.taken += by;
  }

  function withdraw(count: number): Item[] {
    if (!isAhead) return [];
    returning += count;
    return ready.takeFirst(count);
  }

  return {
    taken,
    free: () => (outdating > 0 ? 0 : Math.max(0, Math.min(places.room() - taken(), fairRoom(load, share)))),
    woke: (now) => places.woke(now, ready.count() > 0),
    reserve(room) {
      reserved += room;
      count(room);
    },
    settle(room, items, now) {
      if (items.length < room) places.ranShort();
      reserved -= room;
      count(items.length - room);
      ready.add(items, isClaimOutdated ? Number.NEGATIVE_INFINITY : now);
      isClaimOutdated = false;
    },
    fill(now) {
      const begun = places.take(ready.count(), now);
      return ready.takeFirst(begun.count).map((item) => ({ item, since: begun.since }));
    },
    leave(turn) {
      count(-1);
      places.leave(turn);
    },
    takeStale: (now) => withdraw(ready.stale(now)),
    takeReady: () => withdraw(ready.count()),
    gaveBack(given) {
      returning -= given;
      count(-given);
    },
    async outdateUntil(written) {
      outdating += 1;
      isClaimOutdated = reserved > 0;
      await written;
      outdating -= 1;
    },
  };
}

/** Items without a place, in the order of their claims. */
function createReady<Item>() {
  let ready: { item: Item; claimedAt: number }[] = [];
  return {
    count: () => ready.length,
    add(items: Item[], claimedAt: number): void {
      ready.push(...items.map((item) => ({ item, claimedAt })));
    },
    takeFirst(count: number): Item[] {
      const first = ready.slice(0, count);
      ready = ready.slice(count);
      return first.map(({ item }) => item);
    },
    /** The number of items that may have changed since their claim. */
    stale(now: number): number {
      const fresh = ready.findIndex(({ claimedAt }) => now - claimedAt < freshMs);
      return fresh === -1 ? ready.length : fresh;
    },
  };
}

/** At most as much as is left for all other owners. However many lanes of an owner hang, others find as much. */
const fairRoom = (load: Load, share: Share): number => (load.most - load.taken - share.taken) >> 1;
