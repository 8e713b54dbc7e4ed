import type { LaneItems } from './lane-items.ts';
import type { Leases } from './leases.ts';
import type { PumpOptions } from './options.ts';

/** Items that were claimed ahead of their places wait in the queue again. */
export type GivingBack<Item> = {
  /** Those that have waited for a place since a while ago. */
  stale(lane: LaneItems<Item>, now: number): void;
  /** All that wait for a place. */
  ready(lane: LaneItems<Item>): void;
};

export function createGivingBack<Item, Result>(
  { name, log, ahead }: PumpOptions<Item, Result>,
  { leases, returned }: { leases: Leases<Item>; returned(): void },
): GivingBack<Item> {
  async function giveBack(lane: LaneItems<Item>, items: Item[]): Promise<void> {
    if (!ahead || items.length === 0) return;
    await ahead
      .giveBack(items)
      .catch((error: unknown) => log.warn({ err: error }, `${name}: leases were not given back`));
    leases.release(items);
    lane.gaveBack(items.length);
    returned();
  }

  return {
    stale: (lane, now) => void giveBack(lane, lane.takeStale(now)),
    ready: (lane) => void giveBack(lane, lane.takeReady()),
  };
}
