const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SPREAD = 0.2;

/**
 * The delays before the retries of a webhook delivery, in milliseconds after each failed attempt. docs/contract.md,
 * section 8.
 */
export const WEBHOOK_RETRIES: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/**
 * Milliseconds to wait after the failed attempt of this number (the first is 1). Null when the schedule is exhausted.
 * Each delay is spread by ±20 %, so that simultaneous failures are not retried simultaneously. `random` is in [0, 1).
 */
export function retryDelay(
  attempt: number,
  schedule: readonly number[],
  random: () => number,
): number | null {
  const delay = schedule[attempt - 1];
  return delay === undefined ? null : spread(delay, random);
}

/** Doubles from `first` up to `most` milliseconds, spread by ±20 %; `attempt` counts from 1. */
export function exponentialDelay(attempt: number, first: number, most: number, random: () => number): number {
  return spread(Math.min(first * 2 ** (attempt - 1), most), random);
}

const spread = (delay: number, random: () => number): number =>
  Math.round(delay * (1 - SPREAD + 2 * SPREAD * random()));
