import { createChanges } from './changes.ts';
import { createClaiming } from './claiming.ts';
import { createGivingBack } from './giving-back.ts';
import { createLanes, type KnownLane } from './lanes.ts';
import { holdLeases } from './leases.ts';
import { type Lane, startLooking } from './look.ts';
import type { PumpOptions } from './options.ts';
import { startPerforming } from './performing.ts';

export type { Lane, PumpOptions };

export type Pump = {
  /** Something may be due. Cheap, and safe to call at any rate. */
  wake(): void;
  /** Takes no new work, waits for running work and until its results are written. */
  stop(): Promise<void>;
};

/** No look knows the new time of a postponed item yet, and a lane may have been left to another worker. */
const lookAfterWorkMs = 100;

/**
 * Moves due rows through a slow step: find due lanes, claim as many rows as there are free places, perform each,
 * record results together.
 */
export function startPump<Item, Result>(options: PumpOptions<Item, Result>): Pump {
  const { name, clock, log, leaseMs } = options;
  const lanes = createLanes<Item, Result>(options);
  const changes = createChanges();
  const draining = new Set<KnownLane<Item>>();
  let stopping = false;

  const leases = holdLeases<Item>({
    clock,
    leaseMs,
    renew: (items, until) => options.renew(items, until),
    onProblem: (error) => log.warn({ err: error }, `${name}: leases could not be renewed`),
  });
  const looking = startLooking({ name, clock, log, leaseMs, due: () => options.due(), found: run });
  const givingBack = createGivingBack(options, { leases, returned: () => freed(0) });
  const isStopping = () => stopping;
  const performing = startPerforming(options, { leases, givingBack, isStopping, freed });
  const claiming = createClaiming(options, {
    leases,
    performing,
    givingBack,
    changes,
    mayClaim: looking.isSettled,
    isStopping,
  });

  /** There is room again, for the lanes that wait for it and for what the next look finds. */
  function freed(lookWithinMs = lookAfterWorkMs): void {
    looking.within(lookWithinMs);
    changes.tell();
  }

  function run(due: Lane): void {
    const lane = lanes.of(due);
    lane.again = true;
    if (draining.has(lane) || stopping) return;
    const rest = lane.rest.left();
    if (rest > 0) looking.within(rest);
    else if (lane.cell?.enter() === false) looking.within(lookAfterWorkMs);
    else void drain(lane);
  }

  async function drain(lane: KnownLane<Item>): Promise<void> {
    draining.add(lane);
    lane.items.woke(performance.now());
    await claiming.drain(lane);
    draining.delete(lane);
    lane.cell?.leave();
    freed();
  }

  async function stop(): Promise<void> {
    stopping = true;
    looking.stop();
    for (const lane of lanes.all()) givingBack.ready(lane.items);
    changes.tell();
    while (draining.size > 0 || lanes.taken() > 0) await changes.next();
  }

  return { wake: () => looking.within(0), stop };
}
