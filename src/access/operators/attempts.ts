import type { Context } from '../../platform/context.ts';
import { sha256 } from '../../platform/secrets/secret.ts';
import { countAttempt, forgetAttempts, takeBackAttempt } from './attempts-store.ts';

/** Failures that cost nothing. Behind one address a whole office may sit. */
const freeOfAccount = 5;
const freeOfAddress = 20;

/** The pause doubles from one second up to `longest`, and its reason is forgotten after a day. */
const longestPauseSeconds = 300;
export const forgetAfterMs = 24 * 3_600_000;

export type Attempt = {
  /** Which account was meant, by one name; null where none was. */
  account: string | null;
  /** Where it comes from. */
  address: string;
  /** A browser in which this account was signed in before, by a name that nobody else can give; null for any other. */
  browser: string | null;
};

type Tools = Pick<Context, 'sql' | 'clock'>;

/**
 * Counts an attempt as failed before it is made, so that many at once are no way around. Gives the milliseconds to wait
 * when it must not be made, and 0 when it may. A browser that the account was signed in from before counts for itself
 * alone: strangers pause the account for each other, and not for its owner.
 */
export async function admitAttempt({ sql, clock }: Tools, attempt: Attempt): Promise<number> {
  const now = clock.now();
  const limits = {
    longestPauseSeconds,
    now,
    forgetBefore: new Date(now.getTime() - forgetAfterMs),
  };
  // The address comes first: whoever is paused there adds nothing to any account.
  const ofAddress =
    attempt.browser === null
      ? await countAttempt(sql, addressOf(attempt), { ...limits, free: freeOfAddress })
      : 0;
  if (ofAddress > 0) return ofAddress;
  const subject = subjectOf(attempt);
  return subject === null ? 0 : countAttempt(sql, subject, { ...limits, free: freeOfAccount });
}

/** After a success. Of the address only this attempt is taken back: one good account is no licence to try others. */
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
