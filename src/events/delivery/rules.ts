import { retryDelay, WEBHOOK_RETRIES } from '../../platform/pump/backoff.ts';
import type { Attempt } from '../endpoints/call.ts';

/** The facts of an attempt that the rules need. */
type Answered = Pick<Attempt, 'status' | 'retryAfterMs'>;

/** The state of an event after an attempt. */
export type Verdict =
  | { state: 'DELIVERED' }
  | { state: 'PENDING'; retryInMs: number }
  /** The schedule is exhausted. */
  | { state: 'FAILED' };

const HOUR = 3_600_000;

/** A receiver may ask for a longer pause than the schedule's, up to this limit. */
const LONGEST_PAUSE = 24 * HOUR;

/** An endpoint with nothing but failures for this long is disabled. */
const PATIENCE = 120 * HOUR;

/** A redirect is a failure as well: it is not followed. Source: docs/contract.md, section 8. */
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** The receiver says that the address is gone for good. */
export const isGone = (status: number | null): boolean => status === 410;

/** @param attempt The number of this attempt, from 1. */
export function judge({ status, retryAfterMs }: Answered, attempt: number, random: () => number): Verdict {
  if (isSuccess(status)) return { state: 'DELIVERED' };
  const scheduled = retryDelay(attempt, WEBHOOK_RETRIES, random);
  if (scheduled === null) return { state: 'FAILED' };
  const asked = Math.min(retryAfterMs ?? 0, LONGEST_PAUSE);
  return { state: 'PENDING', retryInMs: Math.max(scheduled, asked) };
}

/** Failures that began before this time have lasted long enough. */
export const patienceEndedAt = (now: Date): Date => new Date(now.getTime() - PATIENCE);
