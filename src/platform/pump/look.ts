import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';

/**
 * Rows that wait behind one key (a channel, an endpoint). Lanes never wait for each other. `owner` is the project of
 * several lanes, which share what one lane may take. Without it a lane is its own owner.
 */
export type Lane = { key: string; dueAt: Date; owner?: string };

export type LookOptions = {
  name: string;
  clock: Clock;
  log: Logger;
  /** Every lane with waiting rows, and the time at which it next needs a worker. */
  due(): Promise<Lane[]>;
  leaseMs: number;
  /** Called for each lane that is due now. */
  found(lane: Lane): void;
};

export type Looking = {
  /** Looks within this many milliseconds. Cheap, and safe to call at any rate. */
  within(ms: number): void;
  /** Whether due work may be claimed. False during an outage of the database, and shortly after it. */
  isSettled(): boolean;
  stop(): void;
};

/** A regular slow look makes up for lost notifications: they cost seconds, not a message. */
const slowLookMs = 5_000;
/** Under load wakes come by the thousand. One look answers all of them. */
const fastestLookMs = 10;
const lookAfterFailureMs = 500;
/** After an outage of the database other processes get this part of a lease to renew what lapsed meanwhile. */
const graceInLease = 0.3;

/** Looks for due lanes on request, when the next one becomes due, and regularly in between. */
export function startLooking({ name, clock, log, due, leaseMs, found }: LookOptions): Looking {
  const graceMs = leaseMs * graceInLease;
  let awaySince: number | undefined;
  let calmAt = Number.NEGATIVE_INFINITY;
  let stopped = false;
  let looking = false;
  let timer: NodeJS.Timeout | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let nextAt = Number.POSITIVE_INFINITY;

  /** The earlier time wins. A running look is followed by another. */
  function within(ms: number): void {
    if (stopped) return;
    const now = performance.now();
    const at = Math.max(now + ms, lookedAt + fastestLookMs);
    if (at >= nextAt) return;
    nextAt = at;
    if (looking) return;
    clearTimeout(timer);
    if (at <= now) void look();
    else timer = setTimeout(look, at - now);
  }

  async function look(): Promise<void> {
    looking = true;
    lookedAt = performance.now();
    nextAt = Number.POSITIVE_INFINITY;
    let next = slowLookMs;
    try {
      const now = clock.now().getTime();
      const lanes = await due();
      noteReturn();
      for (const lane of lanes) {
        const wait = Math.max(lane.dueAt.getTime() - now, calmAt - performance.now());
        if (wait <= 0) found(lane);
        else next = Math.min(next, wait);
      }
    } catch (error) {
      log.warn({ err: error }, `${name}: could not look for due work`);
      awaySince ??= performance.now();
      next = lookAfterFailureMs;
    }
    looking = false;
    const asked = nextAt - performance.now();
    nextAt = Number.POSITIVE_INFINITY;
    within(Math.max(0, Math.min(next, asked)));
  }

  /** After a long outage of the database, the leases of other running workers have lapsed. They renew first. */
  function noteReturn(): void {
    if (awaySince !== undefined && performance.now() - awaySince >= graceMs) {
      calmAt = performance.now() + graceMs;
    }
    awaySince = undefined;
  }

  within(0);
  return {
    within,
    isSettled: () => awaySince === undefined && performance.now() >= calmAt,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
