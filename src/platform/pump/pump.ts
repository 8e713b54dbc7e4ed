import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { exponentialDelay } from './backoff.ts';
import { createChanges } from './changes.ts';
import type { Bounds } from './concurrency.ts';
import { sharedDeadlines } from './deadlines.ts';
import { type Begun, createLaneItems, type LaneItems, type Load, type Share } from './lane-items.ts';
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
   * The minimum and maximum number of items in one lane, from their start until their results are written. More than
   * the minimum are used if they help. May change at any time.
   */
  places(key: string): Bounds;
  /** Claimed items in all lanes. */
  mostAtOnce: number;
  /** Absent: items are claimed only when they have a place. */
  ahead?: Ahead<Item, Result>;
  /** Lanes of suspects run in it, one item at a time. Absent if there are none. */
  cell?: Cell;
  /** The duration of a claim, unless it is renewed. */
  leaseMs: number;
  /** Renews the leases of items that this worker still holds, and returns these items. */
  renew(items: Item[], until: Date): Promise<readonly Renewed[]>;
  /** Whether the database itself was unavailable. It may then accept the same results later. */
  isUnavailable(error: unknown): boolean;
};

/** Some items are claimed before their place is free, so that it need not wait for a claim. */
export type Ahead<Item, Result> = {
  /** Ends the leases of items that were not started. */
  giveBack(items: Item[]): Promise<void>;
  /** Whether this result may change what a claim takes. What was claimed before it is then claimed again. */
  outdates(result: Result): boolean;
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
/** The number of statements costs more than the number of rows: free room is gathered for this long. */
const gatherMs = 10;
/** With so many unwritten results the database is in trouble, and nothing more is claimed. */
const mostUnwritten = 4 * recordAtOnce;
/** The number of leases for which results are kept during an outage of the database. */
const leasesResultsAreKept = 4;

type LaneState<Item> = {
  items: LaneItems<Item>;
  running: boolean;
  again: boolean;
  failures: number;
  restsUntil: number;
};

/** Suspects run one at a time. */
const onePlace: Bounds = { least: 1, most: 1 };

/**
 * Moves due rows through a slow step: find due lanes, claim as many rows as there are free places, perform each,
 * record results together.
 */
export function startPump<Item, Result>(options: PumpOptions<Item, Result>): Pump {
  const { name, clock, log } = options;
  const lanes = new Map<string, LaneState<Item>>();
  const shares = new Map<string, Share>();
  const changes = createChanges();
  let running = 0;
  let underWay = 0;
  const load: Load = { taken: 0, most: options.mostAtOnce };
  let stopping = false;
  const deadline = sharedDeadlines();

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

  function run(due: Lane): void {
    const { key } = due;
    const lane = laneOf(due);
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
    lane.items.woke(performance.now());
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
        changes.tell();
      });
  }

  async function drain(key: string, lane: LaneState<Item>): Promise<void> {
    for (;;) {
      const found = await freeIn(lane);
      if (found === 0 || !looking.isSettled()) return;
      await leases.renewLapsed();
      // Other lanes may have found the same room meanwhile.
      const free = Math.min(found, lane.items.free());
      if (free === 0) continue;
      lane.again = false;
      const items = await claim(key, lane, free);
      // The claim left room: nothing more is due, or another worker has it.
      if (items < free && !lane.again) return;
    }
  }

  /** Claims into free room, which is reserved meanwhile, and starts what has a place. Returns the number of items. */
  async function claim(key: string, lane: LaneState<Item>, free: number): Promise<number> {
    lane.items.reserve(free);
    const items = await leased(() => options.claim(key, free)).catch((error: unknown) => {
      lane.items.settle(free, [], performance.now());
      throw error;
    });
    lane.failures = 0;
    lane.items.settle(free, items, performance.now());
    start(lane);
    if (stopping) void giveBack(lane, lane.items.takeReady());
    return items.length;
  }

  /** Starts ready items, as many as have places. */
  function start(lane: LaneState<Item>): void {
    const now = performance.now();
    void giveBack(lane, lane.items.takeStale(now));
    for (const begun of lane.items.fill(now)) void perform(lane, begun);
  }

  /** What was claimed ahead waits in the queue again. */
  async function giveBack(lane: LaneState<Item>, items: Item[]): Promise<void> {
    if (!options.ahead || items.length === 0) return;
    await options.ahead
      .giveBack(items)
      .catch((error: unknown) => log.warn({ err: error }, `${name}: leases were not given back`));
    leases.release(items);
    lane.items.gaveBack(items.length);
    looking.within(0);
    changes.tell();
  }

  /**
   * The claimed items, held from before the claim. After a claim that took half of its lease, they are renewed first:
   * only items that this worker still holds.
   */
  async function leased(claimed: () => Promise<Item[]>): Promise<Item[]> {
    const since = clock.now();
    const items = await claimed();
    if (items.length > 0 && leases.endsSoon(since)) return leased(() => leases.regain(items, clock.now()));
    leases.hold(items, since);
    return items;
  }

  /**
   * Waits until half of a lane's room is free, or any has been free for a while. 0 when the pump stops. At most half is
   * claimed at once, because items claimed together also end together. With unequal parts the claim, the work and the
   * recording would wait for each other.
   */
  async function freeIn({ items }: LaneState<Item>): Promise<number> {
    let since = performance.now();
    for (;;) {
      if (stopping) return 0;
      const free = results.unwritten() > mostUnwritten ? 0 : items.free();
      const half = Math.max(1, (items.taken() + free) >> 1);
      const claimed = Math.min(free, half);
      if (claimed >= half || (claimed > 0 && performance.now() - since >= gatherMs)) return claimed;
      if (claimed === 0) since = performance.now();
      await changes.next(claimed > 0 ? gatherMs : undefined);
    }
  }

  /** Works on an item in its place, and frees the place when the result is written. */
  async function perform(lane: LaneState<Item>, { item, since }: Begun<Item>): Promise<void> {
    underWay += 1;
    await options.perform(item, deadline()).then(
      (result) => {
        underWay -= 1;
        return options.ahead?.outdates(result) ? outdate(lane, results.add(result)) : results.add(result);
      },
      (error: unknown) => {
        underWay -= 1;
        log.error({ err: error }, `${name}: an item broke; its lease will lapse`);
      },
    );
    leases.release([item]);
    lane.items.leave(since, performance.now());
    start(lane);
    looking.within(lookAfterWorkMs);
    changes.tell();
  }

  /** Gives back what was claimed before a result, and waits until the result is written. */
  async function outdate(lane: LaneState<Item>, written: Promise<void>): Promise<void> {
    void giveBack(lane, lane.items.takeReady());
    await lane.items.outdateUntil(written);
  }

  function shareOf(owner: string): Share {
    const known = shares.get(owner);
    if (known) return known;
    const share = { taken: 0 };
    shares.set(owner, share);
    return share;
  }

  function laneOf({ key, owner = key }: Lane): LaneState<Item> {
    const known = lanes.get(key);
    if (known) return known;
    const { areSuspects } = laneName(key);
    const lane: LaneState<Item> = {
      items: createLaneItems({
        load,
        share: shareOf(owner),
        bounds: () => (areSuspects ? onePlace : options.places(key)),
        isAhead: options.ahead !== undefined && !areSuspects,
      }),
      running: false,
      again: false,
      failures: 0,
      restsUntil: 0,
    };
    lanes.set(key, lane);
    return lane;
  }

  async function stop(): Promise<void> {
    stopping = true;
    looking.stop();
    for (const lane of lanes.values()) void giveBack(lane, lane.items.takeReady());
    changes.tell();
    while (running > 0 || load.taken > 0) await changes.next();
  }

  return { wake: () => looking.within(0), stop };
}
