import type { Clock } from '../clock.ts';
import type { Changes } from './changes.ts';
import type { GivingBack } from './giving-back.ts';
import type { KnownLane } from './lanes.ts';
import type { Leases } from './leases.ts';
import type { PumpOptions } from './options.ts';
import type { Performing } from './performing.ts';
import { recordAtOnce } from './results.ts';

export type Claiming<Item> = {
  /** Claims the lane's due items into free room until nothing more is due. The lane rests after a claim that fails. */
  drain(lane: KnownLane<Item>): Promise<void>;
};

type Parts<Item> = {
  leases: Leases<Item>;
  performing: Performing<Item>;
  givingBack: GivingBack<Item>;
  /** Places that become free, and a stop. */
  changes: Changes;
  /** False during an outage of the database, and shortly after it. */
  mayClaim(): boolean;
  isStopping(): boolean;
};

/** The number of statements costs more than the number of rows: free room is gathered for this long. */
const gatherMs = 10;
/** With so many unwritten results the database is in trouble, and nothing more is claimed. */
const mostUnwritten = 4 * recordAtOnce;

/**
 * At most half of a lane's room is claimed at once, because items claimed together also end together. With unequal
 * parts the claim, the work and the recording would wait for each other.
 */
const halfOf = (room: number): number => Math.max(1, room >> 1);

/** Claims as many items as there is room for, and starts those that have a place. */
export function createClaiming<Item, Result>(
  options: PumpOptions<Item, Result>,
  { leases, performing, givingBack, changes, mayClaim, isStopping }: Parts<Item>,
): Claiming<Item> {
  const { name, clock, log } = options;

  async function claimAll(lane: KnownLane<Item>): Promise<void> {
    for (;;) {
      const found = await freeIn(lane);
      if (found === 0 || !mayClaim()) return;
      await leases.renewLapsed();
      // Other lanes may have found the same room meanwhile.
      const free = Math.min(found, lane.items.free());
      if (free === 0) continue;
      lane.again = false;
      const items = await claim(lane, free);
      // The claim left room: nothing more is due, or another worker has it.
      if (items < free && !lane.again) return;
    }
  }

  /** Claims into free room, which is reserved meanwhile, and starts what has a place. Returns the number of items. */
  async function claim({ key, items, rest }: KnownLane<Item>, free: number): Promise<number> {
    items.reserve(free);
    const claimed = await leased(leases, clock, () => options.claim(key, free)).catch((error: unknown) => {
      items.settle(free, [], performance.now());
      throw error;
    });
    rest.forget();
    items.settle(free, claimed, performance.now());
    performing.start(items);
    if (isStopping()) givingBack.ready(items);
    return claimed.length;
  }

  /** Waits until half of a lane's room is free, or any has been free for a while. 0 when the pump stops. */
  async function freeIn({ items }: KnownLane<Item>): Promise<number> {
    let since = performance.now();
    for (;;) {
      if (isStopping()) return 0;
      const free = performing.unwritten() > mostUnwritten ? 0 : items.free();
      const half = halfOf(items.taken() + free);
      const claimed = Math.min(free, half);
      if (claimed >= half || (claimed > 0 && performance.now() - since >= gatherMs)) return claimed;
      if (claimed === 0) since = performance.now();
      await changes.next(claimed > 0 ? gatherMs : undefined);
    }
  }

  return {
    drain: (lane) =>
      claimAll(lane).catch((error: unknown) => {
        lane.rest.begin();
        log.warn({ err: error, lane: lane.key }, `${name}: could not claim`);
      }),
  };
}

/**
 * The claimed items, held from before the claim. After a claim that took half of its lease, they are renewed first:
 * only items that this worker still holds.
 */
async function leased<Item>(
  leases: Leases<Item>,
  clock: Clock,
  claim: () => Promise<Item[]>,
): Promise<Item[]> {
  const since = clock.now();
  const items = await claim();
  if (items.length > 0 && leases.endsSoon(since)) {
    return leased(leases, clock, () => leases.regain(items, clock.now()));
  }
  leases.hold(items, since);
  return items;
}
