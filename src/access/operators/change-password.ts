import type { Context } from '../../platform/context.ts';
import { invalid, Refused, Throttled } from '../../platform/problem.ts';
import { sha256 } from '../../platform/secrets/secret.ts';
import { findPasswordHash, replacePassword } from '../auth/sign-in-store.ts';
import { admitAttempt, forgiveAttempts } from './attempts.ts';
import { complaintAboutPassword, hashPassword, verifyPassword } from './password.ts';

export type PasswordChange = {
  userId: string;
  /** The token of the calling browser, whose session alone stays. */
  session: string;
  /** The caller's address. */
  address: string;
  current: string;
  password: string;
};

/**
 * Changes a person's own password, for a caller who knows the present one. All their other sessions and links end.
 * Throws `Invalid` on `current` and `password`, `Throttled` for repeated guesses, `Refused` for a person without a
 * password.
 */
export async function changePassword(
  context: Pick<Context, 'sql' | 'clock'>,
  { userId, session, address, current, password }: PasswordChange,
): Promise<void> {
  const { sql } = context;
  const complaint = complaintAboutPassword(password);
  if (complaint !== null) throw invalid('password', complaint);
  const stored = await findPasswordHash(sql, userId);
  if (stored === null) throw new Refused('You have no password yet. Use your invitation link.');

  // Counted for this person alone: the holder of a stolen session must not be able to guess on.
  const attempt = { account: null, address, browser: `person ${userId}` };
  const pauseMs = await admitAttempt(context, attempt);
  if (pauseMs > 0) throw new Throttled(Math.ceil(pauseMs / 1000));
  if (!(await verifyPassword(current, stored))) throw invalid('current', 'The password is wrong.');
  await forgiveAttempts(context, attempt);
  const passwords = { proved: stored, next: await hashPassword(password) };
  const isReplaced = await replacePassword(sql, userId, passwords, sha256(session));
  if (!isReplaced) throw invalid('current', 'The password was changed meanwhile.');
}
