import type { Context } from '../../platform/context.ts';
import { sha256 } from '../../platform/secrets/secret.ts';
import { countAttempt, forgetAttempts, takeBackAttempt } from './attempts-store.ts';

/** Failures without a pause. A whole office may share one address. */
const freeOfAccount = 5;
const freeOfAddress = 20;

/** The pause doubles from one second up to this limit. Its reason is forgotten after a day. */
const longestPauseSeconds = 300;
export const forgetAfterMs = 24 * 3_600_000;

export type Attempt = {
  /** The account that the attempt names, in canonical form. Null without one. */
  account: string | null;
  /** The caller's address. */
  address: string;
  /** An unforgeable name of a browser in which this account was signed in before. Null for any other browser. */
  browser: string | null;
};

type Tools = Pick<Context, 'sql' | 'clock'>;

/**
 * Counts an attempt as failed before it is made, so that concurrent attempts do not evade the limit. Returns the
 * milliseconds to wait if it must not be made, and 0 if it may. A browser in which the account was signed in before
 * is counted separately. Strangers therefore pause the account for each other, but not for its owner.
 */
export async function admitAttempt({ sql, clock }: Tools, attempt: Attempt): Promise<number> {
  const now = clock.now();
  const limits = {
    longestPauseSeconds,
    now,
    forgetBefore: new Date(now.getTime() - forgetAfterMs),
  };
  // The address is counted first: a paused address adds nothing to any account.
  const ofAddress =
    attempt.browser === null
      ? await countAttempt(sql, addressOf(attempt), { ...limits, free: freeOfAddress })
      : 0;
  if (ofAddress > 0) return ofAddress;
  const subject = subjectOf(attempt);
  return subject === null ? 0 : countAttempt(sql, subject, { ...limits, free: freeOfAccount });
}

/** After a success. The address gets back only this attempt: one good account gives no right to try others. */
export async function forgiveAttempts({ sql }: Tools, attempt: Attempt): Promise<void> {
  const subject = subjectOf(attempt);
  if (subject !== null) await forgetAttempts(sql, subject);
  if (attempt.browser === null) await takeBackAttempt(sql, addressOf(attempt));
}

function subjectOf({ account, browser }: Attempt): Buffer | null {
  if (browser !== null) return sha256(`browser ${browser}`);
  return account === null ? null : sha256(`account ${account}`);
}

const addressOf = ({ address }: Attempt): Buffer => sha256(`address ${address}`);

export function pauseInWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${seconds} second${seconds === 1 ? '' : 's'}`;
}
