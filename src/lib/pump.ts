import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { batched } from './batch.ts';
import type { Clock } from './clock.ts';

/** Rows that wait behind one key (a channel, an endpoint). Lanes never wait for each other. */
export type Lane = { key: string; dueAt: Date };

export type PumpOptions<Item, Result> = {
  name: string;
  clock: Clock;
  log: Logger;
  /** Every lane with something waiting, and when it next needs a worker. */
  due(): Promise<Lane[]>;
  /** Leases up to `free` due items of a lane; empty when there are none. */
  claim(key: string, free: number): Promise<Item[]>;
  /** Does the work. Must not throw: a failure is a result too. */
  perform(item: Item): Promise<Result>;
  /** Writes results, all or none. Asked again while the database is away, within the lease. */
  record(results: Result[]): Promise<void>;
  /** Items under way at once in one lane. */
  capacity(key: string): number;
  /** How long a claim is good for. */
  leaseMs: number;
  /** Whether the database itself was away, so that the same results may be accepted later. */
  isUnavailable(error: unknown): boolean;
};

export type Pump = {
  /** Something may be due. Cheap, and safe to call at any rate. */
  wake(): void;
  /** Takes nothing new, waits for what is under way, and for its results to be written. */
  stop(): Promise<void>;
};

/** Behind every wake stands this slow look, so that a lost notification costs seconds, not a message. */
const slowLookMs = 5_000;
/** Under load wakes come by the thousand; one look answers all of them. */
const fastestLookMs = 10;
const lookAfterFailureMs = 500;
/** A lane that seemed due but gave nothing (another worker was quicker) is left alone for a moment. */
const emptyHandedMs = 100;
/** Free places are gathered for a bigger claim, but not for longer than this. */
const gatherMs = 50;
const recordRetryMs = 250;
const recordAtOnce = 500;

type LaneState = { underWay: number; running: boolean; again: boolean; freed: () => void };

/**
 * Moves due rows through a slow step: look which lanes are due, claim as many rows as there are free places,
 * perform each, write the results together. One place is held from claim to written result, so a slow database
 * slows the claims and not the memory.
 */
export function startPump<Item, Result>(options: PumpOptions<Item, Result>): Pump {
  const { clock, log } = options;
  const lanes = new Map<string, LaneState>();
  const runs = new Set<Promise<void>>();
  let stopping = false;
  let looking = false;
  /** A look that was asked for while one was under way. */
  let askedIn = Number.POSITIVE_INFINITY;
  let lookedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  const record = batched((results: Result[]) => recordAll(results), { max: recordAtOnce });

  function wake(): void {
    lookIn(0);
  }

  function lookIn(ms: number): void {
    if (stopping) return;
    if (looking) {
      askedIn = Math.min(askedIn, ms);
      return;
    }
    clearTimeout(timer);
    const rest = Math.max(ms, fastestLookMs - (performance.now() - lookedAt));
    if (rest <= 0) void look();
    else timer = setTimeout(look, rest);
  }

  async function look(): Promise<void> {
    looking = true;
    lookedAt = performance.now();
    let next = slowLookMs;
    try {
      const now = clock.now().getTime();
      for (const { key, dueAt } of await options.due()) {
        const wait = dueAt.getTime() - now;
        if (wait <= 0) run(key);
        else next = Math.min(next, wait);
      }
    } catch (error) {
      log.warn({ err: error }, `${options.name}: could not look for due work`);
      next = lookAfterFailureMs;
    }
    looking = false;
    next = Math.min(next, askedIn);
    askedIn = Number.POSITIVE_INFINITY;
    lookIn(next);
  }

  function run(key: string): void {
    const lane = laneOf(key);
    if (stopping) return;
    if (lane.running) {
      lane.again = true;
      return;
    }
    lane.running = true;
    const ended = drainLane(key, lane)
      .catch((error: unknown) => log.warn({ err: error, lane: key }, `${options.name}: could not claim`))
      .finally(() => {
        lane.running = false;
        runs.delete(ended);
      });
    runs.add(ended);
  }

  async function drainLane(key: string, lane: LaneState): Promise<void> {
    const capacity = options.capacity(key);
    let claimed = false;
    while (!stopping) {
      await enoughPlaces(lane, capacity);
      if (stopping) return;
      lane.again = false;
      const items = await options.claim(key, capacity - lane.underWay);
      for (const item of items) perform(item, lane);
      claimed ||= items.length > 0;
      if (items.length === 0 && !lane.again) break;
    }
    // The next look finds when this lane is due again: a retry, a launch, a token of its pace.
    if (!stopping) lookIn(claimed ? 0 : emptyHandedMs);
  }

  async function enoughPlaces(lane: LaneState, capacity: number): Promise<void> {
    const wanted = Math.max(1, capacity >> 2);
    let gathering = performance.now();
    while (!stopping && capacity - lane.underWay < wanted) {
      const free = capacity - lane.underWay;
      if (free > 0 && performance.now() - gathering >= gatherMs) return;
      if (free === 0) gathering = performance.now();
      await new Promise<void>((resolve) => {
        lane.freed = resolve;
        if (free > 0) setTimeout(resolve, gatherMs);
      });
    }
  }

  function perform(item: Item, lane: LaneState): void {
    lane.underWay += 1;
    const done = options
      .perform(item)
      .then(record)
      .catch((error: unknown) =>
        log.error({ err: error }, `${options.name}: a result was not written; its lease will lapse`),
      )
      .finally(() => {
        lane.underWay -= 1;
        runs.delete(done);
        lane.freed();
        // What was put back for later has a time that no look knows yet.
        if (lane.underWay === 0 && !lane.running) lookIn(0);
      });
    runs.add(done);
  }

  async function recordAll(results: Result[]): Promise<undefined[]> {
    await recordUntil(results, performance.now() + options.leaseMs);
    return results.map(() => undefined);
  }

  /** While the database is away the results are kept; one that it refuses must not keep the others unwritten. */
  async function recordUntil(results: Result[], deadline: number): Promise<void> {
    for (;;) {
      try {
        return await options.record(results);
      } catch (error) {
        if (performance.now() > deadline) throw error;
        log.warn({ err: error, results: results.length }, `${options.name}: results not written yet`);
        if (options.isUnavailable(error)) {
          await pause(recordRetryMs);
        } else if (results.length === 1) {
          throw error;
        } else {
          const half = results.length >> 1;
          const halves = [results.slice(0, half), results.slice(half)];
          await Promise.allSettled(halves.map((some) => recordUntil(some, deadline)));
          return;
        }
      }
    }
  }

  function laneOf(key: string): LaneState {
    let lane = lanes.get(key);
    if (!lane) {
      lane = { underWay: 0, running: false, again: false, freed: () => {} };
      lanes.set(key, lane);
    }
    return lane;
  }

  async function stop(): Promise<void> {
    stopping = true;
    clearTimeout(timer);
    for (const lane of lanes.values()) lane.freed();
    while (runs.size > 0) await Promise.all(runs);
  }

  lookIn(0);
  return { wake, stop };
}
