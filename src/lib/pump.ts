import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import { holdLeases } from './leases.ts';

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
  /** Writes results, all or none. Asked again while the database is away. */
  record(results: Result[]): Promise<void>;
  /** Items under way at once in one lane. */
  capacity(key: string): number;
  /** How long a claim is good for, unless it is renewed. */
  leaseMs: number;
  /** Prolongs the leases of items that are under way and still this worker's. */
  renew(items: Item[], until: Date): Promise<void>;
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
/** What was put back for later has a time that no look knows yet; and a lane may have been left to another worker. */
const lookAfterWorkMs = 100;
/** Statements cost more by their number than by their rows: free places and results are gathered for so long. */
const gatherMs = 10;
const recordAtOnce = 256;
/** With so many results unwritten the database is in trouble, and nothing more is claimed. */
const mostUnwritten = 4 * recordAtOnce;
const recordRetryMs = 250;

/** Results are kept for so many leases while the database is away. */
const leasesResultsAreKept = 4;
/** When the database is back, others are given so much of a lease to renew what lapsed meanwhile. */
const graceInLease = 0.3;

type LaneState = { underWay: number; running: boolean; again: boolean };

/**
 * Moves due rows through a slow step: look which lanes are due, claim as many rows as there are free places,
 * perform each, write the results together.
 */
export function startPump<Item, Result>(options: PumpOptions<Item, Result>): Pump {
  const { name, clock, log } = options;
  const lanes = new Map<string, LaneState>();
  const waiters = new Set<() => void>();
  let running = 0;
  let underWay = 0;
  let stopping = false;

  let looking = false;
  let lookTimer: NodeJS.Timeout | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let nextLookAt = Number.POSITIVE_INFINITY;

  const leases = holdLeases<Item>({
    ...options,
    onProblem: (error) => log.warn({ err: error }, `${name}: leases could not be renewed`),
  });
  let awaySince: number | undefined;
  let calmAt = Number.NEGATIVE_INFINITY;

  let results: { item: Item; result: Result }[] = [];
  let writing = 0;
  let writeTimer: NodeJS.Timeout | undefined;

  /** Sooner wins over later. A look that is under way is followed by another. */
  function lookIn(ms: number): void {
    if (stopping) return;
    const now = performance.now();
    const at = Math.max(now + ms, lookedAt + fastestLookMs);
    if (at >= nextLookAt) return;
    nextLookAt = at;
    if (looking) return;
    clearTimeout(lookTimer);
    if (at <= now) void look();
    else lookTimer = setTimeout(look, at - now);
  }

  async function look(): Promise<void> {
    looking = true;
    lookedAt = performance.now();
    nextLookAt = Number.POSITIVE_INFINITY;
    let next = slowLookMs;
    try {
      const now = clock.now().getTime();
      const lanes = await options.due();
      noteReturn();
      for (const { key, dueAt } of lanes) {
        const wait = Math.max(dueAt.getTime() - now, calmAt - performance.now());
        if (wait <= 0) run(key);
        else next = Math.min(next, wait);
      }
    } catch (error) {
      log.warn({ err: error }, `${name}: could not look for due work`);
      awaySince ??= performance.now();
      next = lookAfterFailureMs;
    }
    looking = false;
    const asked = nextLookAt - performance.now();
    nextLookAt = Number.POSITIVE_INFINITY;
    lookIn(Math.max(0, Math.min(next, asked)));
  }

  /** After a long absence of the database other workers' leases have lapsed, though they are at work: they come first. */
  function noteReturn(): void {
    const graceMs = options.leaseMs * graceInLease;
    if (awaySince !== undefined && performance.now() - awaySince >= graceMs) {
      calmAt = performance.now() + graceMs;
    }
    awaySince = undefined;
  }

  const isUnsettled = (): boolean => awaySince !== undefined || performance.now() < calmAt;

  function run(key: string): void {
    const lane = laneOf(key);
    lane.again = true;
    if (lane.running || stopping) return;
    lane.running = true;
    running += 1;
    drain(key, lane)
      .catch((error: unknown) => log.warn({ err: error, lane: key }, `${name}: could not claim`))
      .finally(() => {
        lane.running = false;
        running -= 1;
        lookIn(lookAfterWorkMs);
        stir();
      });
  }

  async function drain(key: string, lane: LaneState): Promise<void> {
    for (;;) {
      const free = await placesIn(key, lane);
      if (free === 0 || isUnsettled()) return;
      lane.again = false;
      await leases.renewLapsed();
      const since = clock.now();
      const items = await options.claim(key, free);
      // A process that was stopped meanwhile, or a claim that took too long: others may have them by now.
      if (leases.isLapsed(since)) return;
      leases.hold(items, since);
      for (const item of items) perform(item, lane);
      // Fewer than there was room for: nothing more is due, or another worker has it.
      if (items.length < free && !lane.again) return;
    }
  }

  /**
   * Waits for half of a lane's places, or for any after a moment, and gives their number. None when the pump stops. A
   * lane's capacity may change while it runs.
   */
  async function placesIn(key: string, lane: LaneState): Promise<number> {
    let since = performance.now();
    for (;;) {
      if (stopping) return 0;
      const capacity = options.capacity(key);
      const enough = Math.max(1, capacity >> 1);
      const free = results.length + writing > mostUnwritten ? 0 : Math.max(0, capacity - lane.underWay);
      if (free >= enough || (free > 0 && performance.now() - since >= gatherMs)) return free;
      if (free === 0) since = performance.now();
      await change(free > 0 ? gatherMs : undefined);
    }
  }

  function perform(item: Item, lane: LaneState): void {
    lane.underWay += 1;
    underWay += 1;
    options
      .perform(item)
      .then(
        (result) => void results.push({ item, result }),
        (error: unknown) => {
          leases.release([item]);
          log.error({ err: error }, `${name}: an item broke; its lease will lapse`);
        },
      )
      .finally(() => {
        lane.underWay -= 1;
        underWay -= 1;
        writeSoon();
        stir();
      });
  }

  /** At once when the batch is full or nothing else is under way. */
  function writeSoon(): void {
    if (writing > 0 || results.length === 0) return;
    if (results.length >= recordAtOnce || underWay === 0) void write();
    else writeTimer ??= setTimeout(write, gatherMs);
  }

  async function write(): Promise<void> {
    clearTimeout(writeTimer);
    writeTimer = undefined;
    if (writing > 0) return;
    const batch = results;
    results = [];
    writing = batch.length;
    const deadline = performance.now() + leasesResultsAreKept * options.leaseMs;
    const written = batch.map(({ result }) => result);
    await recordUntil(written, deadline).catch((error: unknown) =>
      log.error(
        { err: error, results: batch.length },
        `${name}: results were not written; their leases will lapse`,
      ),
    );
    leases.release(batch.map(({ item }) => item));
    writing = 0;
    writeSoon();
    lookIn(lookAfterWorkMs);
    stir();
  }

  /** While the database is away the results are kept; one that it refuses must not keep the others unwritten. */
  async function recordUntil(batch: Result[], deadline: number): Promise<void> {
    for (;;) {
      try {
        return await options.record(batch);
      } catch (error) {
        if (performance.now() > deadline) throw error;
        if (!options.isUnavailable(error)) return await recordHalves(batch, deadline, error);
        log.warn({ err: error, results: batch.length }, `${name}: results not written yet`);
        await pause(recordRetryMs);
      }
    }
  }

  async function recordHalves(batch: Result[], deadline: number, error: unknown): Promise<void> {
    if (batch.length === 1) throw error;
    const half = batch.length >> 1;
    const halves = [batch.slice(0, half), batch.slice(half)];
    const written = await Promise.allSettled(halves.map((some) => recordUntil(some, deadline)));
    for (const { reason } of written.filter((half) => half.status === 'rejected')) {
      log.error({ err: reason }, `${name}: a result was refused; its lease will lapse`);
    }
  }

  /** Resolves when something has ended, or after a while. */
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
    const lane = lanes.get(key) ?? { underWay: 0, running: false, again: false };
    lanes.set(key, lane);
    return lane;
  }

  async function stop(): Promise<void> {
    stopping = true;
    clearTimeout(lookTimer);
    stir();
    while (running > 0 || underWay > 0 || results.length > 0 || writing > 0) await change();
  }

  lookIn(0);
  return { wake: () => lookIn(0), stop };
}
