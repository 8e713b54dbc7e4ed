import { createLaneItems, type LaneItems, type Share } from './lane-items.ts';
import type { Lane } from './look.ts';
import type { PumpOptions } from './options.ts';
import { createRest, type Rest } from './rest.ts';
import { type Cell, laneName } from './suspects.ts';

/** What a pump knows of a lane that was due at least once. */
export type KnownLane<Item> = {
  readonly key: string;
  readonly items: LaneItems<Item>;
  /** After claims that failed. */
  readonly rest: Rest;
  /** Work in this lane enters it first. Only suspects have one. */
  readonly cell: Cell | undefined;
  /** Whether it was due again since the last claim. */
  again: boolean;
};

export type Lanes<Item> = {
  of(due: Lane): KnownLane<Item>;
  all(): Iterable<KnownLane<Item>>;
  /** The number of claimed items in all lanes. */
  taken(): number;
};

/** Suspects run one at a time. */
const onePlace = { least: 1, most: 1 };

/** Lanes share the pump's room, and those of one owner the room of that owner. */
export function createLanes<Item, Result>(options: PumpOptions<Item, Result>): Lanes<Item> {
  const load = { taken: 0, most: options.mostAtOnce };
  const lanes = new Map<string, KnownLane<Item>>();
  const shares = new Map<string, Share>();

  function shareOf(owner: string): Share {
    const known = shares.get(owner);
    if (known) return known;
    const share = { taken: 0 };
    shares.set(owner, share);
    return share;
  }

  return {
    of({ key, owner = key }) {
      const known = lanes.get(key);
      if (known) return known;
      const { areSuspects } = laneName(key);
      const items = createLaneItems<Item>({
        load,
        share: shareOf(owner),
        bounds: () => (areSuspects ? onePlace : options.places(key)),
        isAhead: options.ahead !== undefined && !areSuspects,
      });
      const cell = areSuspects ? options.cell : undefined;
      const lane = { key, items, rest: createRest(), cell, again: false };
      lanes.set(key, lane);
      return lane;
    },
    all: () => lanes.values(),
    taken: () => load.taken,
  };
}
