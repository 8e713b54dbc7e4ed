import type { Context } from '../../platform/context.ts';
import { invalid, Refused, Throttled } from '../../platform/problem.ts';
import { sha256 } from '../../platform/secrets/secret.ts';
import { admitAttempt, forgiveAttempts } from './attempts.ts';
import { complaintAboutPassword, hashPassword, verifyPassword } from './password.ts';
import { findPasswordHash, replacePassword } from './sign-in-store.ts';

export type PasswordChange = {
  userId: string;
  /** The token of the browser that asks: its session alone stays. */
  session: string;
  /** Where it comes from. */
  address: string;
  current: string;
  password: string;
};

/**
 * A person's own password, for whoever knows the present one. All other sessions and links of theirs end.
 * Throws `Invalid` on `current` and `password`, `Throttled` for whoever guesses, `Refused` for somebody without one.
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

  // Counted for this person alone: whoever has got hold of a session must not guess on with it.
  const attempt = { account: null, address, browser: `person ${userId}` };
  const pauseMs = await admitAttempt(context, attempt);
  if (pauseMs > 0) throw new Throttled(Math.ceil(pauseMs / 1000));
  if (!(await verifyPassword(current, stored))) throw invalid('current', 'The password is wrong.');
  await forgiveAttempts(context, attempt);
  await replacePassword(sql, userId, await hashPassword(password), sha256(session));
}
