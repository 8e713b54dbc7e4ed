import { sharedDeadlines } from './deadlines.ts';
import type { GivingBack } from './giving-back.ts';
import type { Begun, LaneItems } from './lane-items.ts';
import type { Leases } from './leases.ts';
import type { PumpOptions } from './options.ts';
import { gatherResults } from './results.ts';

export type Performing<Item> = {
  /** Starts ready items, as many as have places. */
  start(lane: LaneItems<Item>): void;
  /** The number of results that wait or are being written. */
  unwritten(): number;
};

type Parts<Item> = {
  leases: Leases<Item>;
  givingBack: GivingBack<Item>;
  /** A place became free. */
  freed(): void;
  isStopping(): boolean;
};

/** The number of leases for which a stop waits for results that the database does not accept. */
const leasesAStopWaits = 4;

/** Performs the items of all lanes, and records their results together. */
export function startPerforming<Item, Result>(
  options: PumpOptions<Item, Result>,
  { leases, givingBack, freed, isStopping }: Parts<Item>,
): Performing<Item> {
  const { name, log } = options;
  const deadline = sharedDeadlines();
  let underWay = 0;
  const results = gatherResults<Result>({
    name,
    log,
    record: (batch) => options.record(batch),
    isUnavailable: options.isUnavailable,
    isStopping,
    patienceMs: leasesAStopWaits * options.leaseMs,
    expected: () => underWay,
  });

  function start(lane: LaneItems<Item>): void {
    const now = performance.now();
    givingBack.stale(lane, now);
    for (const begun of lane.fill(now)) void perform(lane, begun);
  }

  /** Works on an item in its place, and frees the place when the result is written. */
  async function perform(lane: LaneItems<Item>, { item, since }: Begun<Item>): Promise<void> {
    const began = performance.now();
    let workMs = 0;
    const ended = (): void => {
      underWay -= 1;
      workMs = performance.now() - began;
    };
    underWay += 1;
    await options.perform(item, deadline()).then(
      (result) => {
        ended();
        return options.ahead?.outdates(result) ? outdate(lane, results.add(result)) : results.add(result);
      },
      (error: unknown) => {
        ended();
        log.error({ err: error }, `${name}: an item broke; its lease will lapse`);
      },
    );
    leases.release([item]);
    lane.leave({ since, workMs, now: performance.now() });
    start(lane);
    freed();
  }

  /** Gives back what was claimed before a result, and waits until the result is written. */
  async function outdate(lane: LaneItems<Item>, written: Promise<void>): Promise<void> {
    givingBack.ready(lane);
    await lane.outdateUntil(written);
  }

  return { start, unwritten: results.unwritten };
}
