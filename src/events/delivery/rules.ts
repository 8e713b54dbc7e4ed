import { retryDelay, WEBHOOK_RETRIES } from '../../platform/pump/backoff.ts';
import type { Attempt } from '../endpoints/call.ts';

/** What the rules need to know of an attempt. */
type Answered = Pick<Attempt, 'status' | 'retryAfterMs'>;

/** What became of an event after an attempt. */
export type Verdict =
  | { state: 'DELIVERED' }
  | { state: 'PENDING'; retryInMs: number }
  /** The schedule is exhausted. */
  | { state: 'FAILED' };

const HOUR = 3_600_000;

/** A receiver may ask for a longer pause than the schedule's, but not for ever. */
const LONGEST_PAUSE = 24 * HOUR;

/** An endpoint that has given nothing but failures for so long is disabled. */
const PATIENCE = 120 * HOUR;

/** A redirect is a failure as well: it is not followed. Source: docs/contract.md, section 8. */
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** The receiver says that nobody will ever listen there again. */
export const isGone = (status: number | null): boolean => status === 410;

/** @param attempt the number of this attempt, from 1 */
export function judge({ status, retryAfterMs }: Answered, attempt: number, random: () => number): Verdict {
  if (isSuccess(status)) return { state: 'DELIVERED' };
  const scheduled = retryDelay(attempt, WEBHOOK_RETRIES, random);
  if (scheduled === null) return { state: 'FAILED' };
  const asked = Math.min(retryAfterMs ?? 0, LONGEST_PAUSE);
  return { state: 'PENDING', retryInMs: Math.max(scheduled, asked) };
}

/** Failures that began before this moment have lasted long enough. */
export const patienceEndedAt = (now: Date): Date => new Date(now.getTime() - PATIENCE);
