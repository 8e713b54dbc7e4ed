import type { Context } from '../../platform/context.ts';
import { Refused } from '../../platform/problem.ts';
import { readEmail } from '../auth/email.ts';
import { findUserByEmail, type User } from '../auth/operators-store.ts';
import { type MailOutcome, mailIfPossible, resetMail } from './mails.ts';
import { createPasswordReset } from './sign-in-link.ts';

/**
 * Makes a link by which the user chooses a new password, and mails it if a mail server is configured. The present
 * password is valid until then.
 */
export async function resetPassword(
  tools: Pick<Context, 'sql' | 'clock' | 'config' | 'log'>,
  { id, email }: User,
): Promise<{ link: string; mail: MailOutcome }> {
  const link = await createPasswordReset(tools, id);
  return { link, mail: await mailIfPossible(tools, resetMail(email, link)) };
}

/** The user with that address. Throws `Refused` for an unknown one. */
export async function knownUser({ sql }: Pick<Context, 'sql'>, typed: string): Promise<User> {
  const email = readEmail(typed);
  const user = email && (await findUserByEmail(sql, email));
  if (!user) throw new Refused(`There is no user ${typed}.`);
  return user;
}
