import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { createOutages } from './outages.ts';

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

/** Looks for due lanes on request, when the next one becomes due, and regularly in between. */
export function startLooking({ name, clock, log, due, leaseMs, found }: LookOptions): Looking {
  const outages = createOutages(leaseMs);
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
      outages.answered();
      for (const lane of lanes) {
        const wait = Math.max(lane.dueAt.getTime() - now, outages.graceLeft());
        if (wait <= 0) found(lane);
        else next = Math.min(next, wait);
      }
    } catch (error) {
      log.warn({ err: error }, `${name}: could not look for due work`);
      outages.failed();
      next = lookAfterFailureMs;
    }
    looking = false;
    const asked = nextAt - performance.now();
    nextAt = Number.POSITIVE_INFINITY;
    within(Math.max(0, Math.min(next, asked)));
  }

  within(0);
  return {
    within,
    isSettled: outages.areOver,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
