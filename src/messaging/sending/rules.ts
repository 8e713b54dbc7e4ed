import type { SendResult } from '../../channels/contract/adapter.ts';
import { sendErrors } from '../../channels/contract/errors.ts';

/**
 * The state of a message after a call. `PENDING` is a retry of a message that was certainly not sent, and can still
 * be cancelled. `IN_PROCESS` is a retry of a message that the provider may have received.
 */
export type Outcome =
  | { state: 'SENT'; providerId: string | null }
  | { state: 'UNDELIVERED' | 'ERROR'; detail: string; pausesChannel: boolean }
  | {
      state: 'PENDING' | 'IN_PROCESS';
      detail: string;
      retryInMs: number;
      slowDownMs: number | null;
      /** Whether this counts as one of the message's attempts. */
      counts: boolean;
    };

/** Delays before the second, third, … call after a temporary failure: about a day in all. */
const retriesMs = [5, 20, 60, 300, 900, 3_600, 10_800, 21_600, 43_200].map((seconds) => seconds * 1000);

/** A provider that always answers "slow down" is obeyed for this long. */
const patienceMs = 24 * 3_600_000;

const longestPauseMs = 3_600_000;

/** The message's earlier calls. `PENDING` promises that none of its calls sent anything, and not only the last. */
export type History = {
  /** Calls so far, including this one. Rate limits and the calls of dead workers are not counted. */
  attempts: number;
  /** The time since the message was first due. */
  ageMs: number;
  /** Whether an earlier call may have been received. */
  inDoubt: boolean;
};

export function outcomeOf(
  result: SendResult,
  { attempts, ageMs, inDoubt }: History,
  random: () => number,
): Outcome {
  if (result.sent) return { state: 'SENT', providerId: result.providerId };
  const { error } = result;
  const known = sendErrors[error.code];
  const detail = error.detail || known.text;
  switch (error.code) {
    case 'rate_limited': {
      if (ageMs > patienceMs) return { state: 'UNDELIVERED', detail, pausesChannel: false };
      const slowDownMs = Math.min(Math.max(error.retryAfterMs, 0), longestPauseMs);
      const state = inDoubt ? 'IN_PROCESS' : 'PENDING';
      return { state, detail, retryInMs: slowDownMs, slowDownMs, counts: false };
    }
    case 'temporary': {
      const planned = retriesMs[attempts - 1];
      if (planned === undefined) return { state: 'UNDELIVERED', detail, pausesChannel: false };
      const retryInMs = Math.max(error.retryAfterMs ?? 0, planned * (0.8 + 0.4 * random()));
      const mayHaveBeenSent = inDoubt || error.mayHaveBeenSent;
      const state = mayHaveBeenSent ? 'IN_PROCESS' : 'PENDING';
      return { state, detail, retryInMs, slowDownMs: null, counts: true };
    }
    case 'blocked':
    case 'invalid_recipient':
    case 'window_closed':
    case 'not_opted_in':
    case 'bad_content':
      return { state: 'UNDELIVERED', detail, pausesChannel: false };
    case 'auth':
      return { state: 'ERROR', detail, pausesChannel: true };
    case 'unsupported':
      return { state: 'ERROR', detail, pausesChannel: false };
  }
}

const rereadMs = 10_000;

/** No call was made, because our own data could not be read. That never counts against the message. */
export const unread = ({ inDoubt }: History): Outcome => ({
  state: inDoubt ? 'IN_PROCESS' : 'PENDING',
  detail: 'What the message is made of could not be read.',
  retryInMs: rereadMs,
  slowDownMs: null,
  counts: false,
});

/** Whether no call can have been received, neither this one nor an earlier one. */
export const isUnheard = (result: SendResult, inDoubt: boolean): boolean =>
  !result.sent && !inDoubt && !(result.error.code === 'temporary' && result.error.mayHaveBeenSent);
