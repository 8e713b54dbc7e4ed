import type { Context } from '../context.ts';
import { Refused } from '../lib/problem.ts';
import { type MailOutcome, mailIfPossible, resetMail } from './mails.ts';
import { createPasswordReset } from './sign-in-link.ts';
import { findUserByEmail } from './store.ts';

/** A link by which the user chooses another password, mailed where a mail server is set; the present one is good until then. Throws `Refused` for an unknown address. */
export async function resetPassword(
  tools: Pick<Context, 'sql' | 'clock' | 'config' | 'log'>,
  email: string,
): Promise<{ link: string; mail: MailOutcome }> {
  const user = await findUserByEmail(tools.sql, email);
  if (!user) throw new Refused(`There is no user ${email}.`);
  const link = await createPasswordReset(tools, user.id);
  return { link, mail: await mailIfPossible(tools, resetMail(user.email, link)) };
}
