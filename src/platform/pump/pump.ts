import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { exponentialDelay } from './backoff.ts';
import { type Bounds, type Concurrency, createConcurrency } from './concurrency.ts';
import { holdLeases, type Renewed } from './leases.ts';
import { type Lane, startLooking } from './look.ts';
import { gatherResults, recordAtOnce } from './results.ts';
import { type Cell, laneName } from './suspects.ts';

export type { Lane };

export type PumpOptions<Item, Result> = {
  name: string;
  clock: Clock;
  log: Logger;
  /** Every lane with waiting items, and the time at which it next needs a worker. */
  due(): Promise<Lane[]>;
  /** Leases up to `free` due items of a lane. Empty when there are none. A claim that throws has leased nothing. */
  claim(key: string, free: number): Promise<Item[]>;
  /** Does the work before the deadline. Must not throw: a failure is a result too. */
  perform(item: Item, deadline: AbortSignal): Promise<Result>;
  /** Writes results, all or none. Called again after an outage of the database. */
  record(results: Result[]): Promise<void>;
  /**
   * The minimum and maximum number of items in one lane, from their claim until their results are written. More than
   * the minimum are used if they help. May change at any time.
   */
  places(key: string): Bounds;
  /** Concurrent items in all lanes. */
  mostAtOnce: number;
  /** Lanes of suspects run in it, one item at a time. Absent if there are none. */
  cell?: Cell;
  /** The duration of a claim, unless it is renewed. */
  leaseMs: number;
  /** Renews the leases of items that this worker still holds, and returns these items. */
  renew(items: Item[], until: Date): Promise<readonly Renewed[]>;
  /** Whether the database itself was unavailable. It may then accept the same results later. */
  isUnavailable(error: unknown): boolean;
};

export type Pump = {
  /** Something may be due. Cheap, and safe to call at any rate. */
  wake(): void;
  /** Takes no new work, waits for running work and until its results are written. */
  stop(): Promise<void>;
};

/** No look knows the new time of a postponed item yet, and a lane may have been left to another worker. */
const lookAfterWorkMs = 100;
/** A lane whose claims fail costs a look and a log line each time. */
const firstRestMs = 250;
const longestRestMs = 30_000;
/** The number of statements costs more than the number of rows: free places are gathered for this long. */
const gatherMs = 10;
/** With so many unwritten results the database is in trouble, and nothing more is claimed. */
const mostUnwritten = 4 * recordAtOnce;
/** The number of leases for which results are kept during an outage of the database. */
const leasesResultsAreKept = 4;
const longestWorkMs = 15_000;

/** The end of work that is claimed now, however often its lease is renewed. */
export const workDeadline = (): AbortSignal => AbortSignal.timeout(longestWorkMs);

type LaneState = {
  concurrency: Concurrency;
  /** Places of running or unrecorded work, and those that a running claim asks for. */
  taken: number;
  running: boolean;
  again: boolean;
  failures: number;
  restsUntil: number;
};

/** The number of free places, and the time since when there have been any. */
type Free = { places: number; since: number };

/**
 * Moves due rows through a slow step: find due lanes, claim as many rows as there are free places, perform each,
 * record results together.
 */
export function startPump<Item, Result>(options: PumpOptions<Item, Result>): Pump {
  const { name, clock, log, mostAtOnce } = options;
  const lanes = new Map<string, LaneState>();
  const waiters = new Set<() => void>();
  let running = 0;
  let underWay = 0;
  let taken = 0;
  let stopping = false;

  const results = gatherResults<Result>({
    name,
    log,
    record: (batch) => options.record(batch),
    isUnavailable: options.isUnavailable,
    patienceMs: leasesResultsAreKept * options.leaseMs,
    moreComes: () => underWay > 0,
  });
  const leases = holdLeases<Item>({
    clock,
    leaseMs: options.leaseMs,
    renew: (items, until) => options.renew(items, until),
    onProblem: (error) => log.warn({ err: error }, `${name}: leases could not be renewed`),
  });
  const { leaseMs } = options;
  const looking = startLooking({ name, clock, log, leaseMs, due: () => options.due(), found: run });

  function run(key: string): void {
    const lane = laneOf(key);
    lane.again = true;
    if (lane.running || stopping) return;
    const rest = lane.restsUntil - performance.now();
    if (rest > 0) {
      looking.within(rest);
      return;
    }
    const cell = laneName(key).areSuspects ? options.cell : undefined;
    if (cell && !cell.enter()) {
      looking.within(lookAfterWorkMs);
      return;
    }
    lane.running = true;
    running += 1;
    drain(key, lane)
      .catch((error: unknown) => {
        lane.failures += 1;
        lane.restsUntil =
          performance.now() + exponentialDelay(lane.failures, firstRestMs, longestRestMs, Math.random);
        log.warn({ err: error, lane: key }, `${name}: could not claim`);
      })
      .finally(() => {
        lane.running = false;
        running -= 1;
        cell?.leave();
        looking.within(lookAfterWorkMs);
        stir();
      });
  }

  async function drain(key: string, lane: LaneState): Promise<void> {
    for (;;) {
      const free = await freeIn(key, lane);
      if (!free || !looking.isSettled()) return;
      lane.again = false;
      const items = await claim(key, lane, free);
      // The claim left places free: nothing more is due, or another worker has it.
      if (items < free.places && !lane.again) return;
    }
  }

  /**
   * Claims into free places, which are reserved meanwhile, and starts the claimed work. Returns the number of items.
   */
  async function claim(key: string, lane: LaneState, { places, since }: Free): Promise<number> {
    await leases.renewLapsed();
    take(lane, places);
    const { items, deadline } = await leased(() => options.claim(key, places)).catch((error: unknown) => {
      take(lane, -places);
      throw error;
    });
    lane.failures = 0;
    if (items.length < places) lane.concurrency.ranShort();
    take(lane, items.length - places);
    for (const item of items) {
      void perform(item, deadline).finally(() => {
        leases.release([item]);
        lane.concurrency.turned(since, performance.now());
        take(lane, -1);
        looking.within(lookAfterWorkMs);
        stir();
      });
    }
    return items.length;
  }

  /**
   * The claimed items, held from before the claim. After a claim longer than its lease, only items that this worker
   * still holds.
   */
  async function leased(claimed: () => Promise<Item[]>): Promise<{ items: Item[]; deadline: AbortSignal }> {
    const deadline = workDeadline();
    const since = clock.now();
    const items = await claimed();
    if (items.length > 0 && leases.isLapsed(since)) return leased(() => leases.regain(items, clock.now()));
    leases.hold(items, since);
    return { items, deadline };
  }

  function take(lane: LaneState, places: number): void {
    lane.taken += places;
    taken += places;
  }

  /**
   * Waits until half of a lane's places are free, or any have been free for a while. Null when the pump stops. At
   * most half is claimed at once, because items claimed together also end together. With unequal parts the claim, the
   * work and the recording would wait for each other.
   */
  async function freeIn(key: string, lane: LaneState): Promise<Free | null> {
    let since = performance.now();
    for (;;) {
      if (stopping) return null;
      const free = freePlaces(lane, placesOf(key, lane));
      const half = Math.max(1, (lane.taken + free) >> 1);
      const places = Math.min(free, half);
      if (places >= half || (places > 0 && performance.now() - since >= gatherMs)) return { places, since };
      if (places === 0) since = performance.now();
      await change(places > 0 ? gatherMs : undefined);
    }
  }

  const placesOf = (key: string, lane: LaneState): number =>
    laneName(key).areSuspects ? 1 : lane.concurrency.places(options.places(key));

  /**
   * A lane has at most as many places as are left for all others. However many lanes hang, a new lane finds as many
   * free places as each of them has.
   */
  function freePlaces(lane: LaneState, places: number): number {
    if (results.unwritten() > mostUnwritten) return 0;
    const fair = (mostAtOnce - taken - lane.taken) >> 1;
    return Math.max(0, Math.min(places - lane.taken, fair));
  }

  async function perform(item: Item, deadline: AbortSignal): Promise<void> {
    underWay += 1;
    await options.perform(item, deadline).then(
      (result) => {
        underWay -= 1;
        return results.add(result);
      },
      (error: unknown) => {
        underWay -= 1;
        log.error({ err: error }, `${name}: an item broke; its lease will lapse`);
      },
    );
  }

  /** Resolves when some work has ended, or after this time. */
  function change(afterMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = afterMs === undefined ? undefined : setTimeout(done, afterMs);
      function done(): void {
        clearTimeout(timer);
        waiters.delete(done);
        resolve();
      }
      waiters.add(done);
    });
  }

  function stir(): void {
    for (const waiter of [...waiters]) waiter();
  }

  function laneOf(key: string): LaneState {
    const known = lanes.get(key);
    if (known) return known;
    const concurrency = createConcurrency();
    const lane = { concurrency, taken: 0, running: false, again: false, failures: 0, restsUntil: 0 };
    lanes.set(key, lane);
    return lane;
  }

  async function stop(): Promise<void> {
    stopping = true;
    looking.stop();
    stir();
    while (running > 0 || taken > 0) await change();
  }

  return { wake: () => looking.within(0), stop };
}
