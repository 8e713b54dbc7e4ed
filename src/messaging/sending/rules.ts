import type { SendResult } from '../../channels/contract/adapter.ts';
import { sendErrors } from '../../channels/contract/errors.ts';
import type { LostCodes } from '../../clients/promocodes/lost-codes-store.ts';
import { overCap, overTopicCap } from '../../mailings/frequency-cap.ts';
import { mostInterruptions } from '../../platform/pump/suspects.ts';
import type { ClaimedMessage } from './claim.ts';
import type { Rendering } from './mailing-messages.ts';

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

/** A provider could otherwise name a year that no database knows, or one that nobody waits for. */
const longestWaitMs = 43_200_000;

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
      const asked = Math.min(error.retryAfterMs ?? 0, longestWaitMs);
      const retryInMs = Math.max(asked, planned * (0.8 + 0.4 * random()));
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

/** Whether the provider asked for a pause. */
export const isSlowedBy = (outcome: Outcome): outcome is Outcome & { slowDownMs: number } =>
  'slowDownMs' in outcome && outcome.slowDownMs !== null;

/** Whether the provider refused the channel's credentials. */
export const isPausedBy = (outcome: Outcome): outcome is Outcome & { detail: string; pausesChannel: true } =>
  'pausesChannel' in outcome && outcome.pausesChannel;

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

/** A message of the same run of a mailing, in another chat of the same client. */
export type Twin = { id: string; state: string };

type Doubt = { id: string; in_doubt: boolean };

/**
 * Which message of a mailing goes first after a merge of two profiles. `had`: the client got the mailing in another
 * chat. `open`: a message there comes first. A message that may have been received comes before one that was surely
 * not. Between equals the lower id decides. Nothing is known about the earlier calls of a message of another claim,
 * so it may have been received.
 */
export function precedence(
  message: Doubt,
  twins: readonly Twin[],
  sameClaim: ReadonlyMap<string, Doubt>,
): 'had' | 'open' | null {
  if (twins.some(({ state }) => received.has(state))) return 'had';
  return twins.some((twin) => goesFirst(twin, message, sameClaim)) ? 'open' : null;
}

const received: ReadonlySet<string> = new Set(['SENT', 'DELIVERED', 'READ']);

function goesFirst(twin: Twin, message: Doubt, sameClaim: ReadonlyMap<string, Doubt>): boolean {
  if (twin.state !== 'PENDING' && twin.state !== 'IN_PROCESS') return false;
  const inDoubt = twin.state === 'IN_PROCESS' && (sameClaim.get(twin.id)?.in_doubt ?? true);
  return inDoubt === message.in_doubt ? twin.id < message.id : inDoubt;
}

const yieldsToOperators: ReadonlySet<string> = new Set(['push', 'stream', 'mailing']);

const whyCodesAreLost = {
  expired: 'The promo code expired before the message was sent.',
  lost: 'The promo code is no longer reserved for the message.',
} as const satisfies Record<LostCodes, string>;

/** The result for a message that is refused without a call. `unread` if its data could not be read. */
export function refusal(
  message: ClaimedMessage,
  rendering: Rendering | undefined,
): SendResult | 'unread' | null {
  if (message.interruptions >= mostInterruptions) {
    return failed('unsupported', 'The message was given up: its sending was interrupted too often.');
  }
  if (message.stopped) return failed('blocked');
  if (message.barred !== null) return failed('not_opted_in', message.barred);
  if (message.session && !message.is_force && yieldsToOperators.has(message.source)) {
    return failed('not_opted_in', 'The chat has an open operator session.');
  }
  // A scenario did not begin, or had nothing to send, and gives the reason.
  if (message.content_type === 'nothing') {
    const { text, is_refused } = message.content;
    return failed(is_refused ? 'not_opted_in' : 'unsupported', text);
  }
  if (message.mailing_stopped) {
    return failed('not_opted_in', 'The mailing was stopped while the message waited for its next attempt.');
  }
  if (message.twin === 'had') return failed('not_opted_in', 'The client got this mailing in another chat.');
  if (message.standing === 'over') return failed('not_opted_in', overCap);
  if (message.topicStanding === 'over') return failed('not_opted_in', overTopicCap);
  if (message.lostCodes !== null) return failed('not_opted_in', whyCodesAreLost[message.lostCodes]);
  if (message.twin === 'open') return { sent: false, error: { code: 'temporary', mayHaveBeenSent: false } };
  if (rendering === 'unread') return 'unread';
  if (rendering && 'problem' in rendering) return failed(rendering.code, rendering.problem);
  return null;
}

/** A failure without a call. */
export function failed(
  code: 'blocked' | 'not_opted_in' | 'unsupported' | 'bad_content',
  detail?: string,
): SendResult {
  return { sent: false, error: { code, detail } };
}
