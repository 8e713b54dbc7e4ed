import type { SendResult } from '../../channels/contract/adapter.ts';
import { sendErrors } from '../../channels/contract/errors.ts';

/**
 * What becomes of a message after a call. `PENDING` is a retry of something that was surely not sent, and can
 * still be cancelled; `IN_PROCESS` is a retry of something that the provider may have heard.
 */
export type Outcome =
  | { state: 'SENT'; providerId: string | null }
  | { state: 'UNDELIVERED' | 'ERROR'; detail: string; pausesChannel: boolean }
  | {
      state: 'PENDING' | 'IN_PROCESS';
      detail: string;
      retryInMs: number;
      slowDownMs: number | null;
      /** Whether this was one of the attempts that a message has. */
      counts: boolean;
    };

/** Pauses before the second, third, … call after a temporary failure: about a day in all. */
const retriesMs = [5, 20, 60, 300, 900, 3_600, 10_800, 21_600, 43_200].map((seconds) => seconds * 1000);

/** A provider that only ever says "slow down" is obeyed for this long. */
const patienceMs = 24 * 3_600_000;

const longestPauseMs = 3_600_000;

/** What there was before: `PENDING` says of every call of a message, and not of its last alone, that nothing was sent. */
export type History = {
  /** Calls made so far, this one included; refusals by rate, and calls that a dead worker made before, are not counted. */
  attempts: number;
  /** Since the message was due for the first time. */
  ageMs: number;
  /** Whether an earlier call may have been heard. */
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

/** No call was made, as something of ours could not be read. That says nothing of the message, however often it happens. */
export const unread = ({ inDoubt }: History): Outcome => ({
  state: inDoubt ? 'IN_PROCESS' : 'PENDING',
  detail: 'What the message is made of could not be read.',
  retryInMs: rereadMs,
  slowDownMs: null,
  counts: false,
});

/** Whether nobody can have heard a message, in this call or an earlier one. */
export const isUnheard = (result: SendResult, inDoubt: boolean): boolean =>
  !result.sent && !inDoubt && !(result.error.code === 'temporary' && result.error.mayHaveBeenSent);
