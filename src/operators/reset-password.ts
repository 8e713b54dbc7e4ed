import type { Context } from '../context.ts';
import { Refused } from '../lib/problem.ts';
import { createPasswordReset } from './sign-in-link.ts';
import { findUserByEmail } from './store.ts';

/** A link by which the user chooses another password; the present one is good until then. Throws `Refused` for an unknown address. */
export async function resetPassword(
  tools: Pick<Context, 'sql' | 'clock' | 'config'>,
  email: string,
): Promise<string> {
  const user = await findUserByEmail(tools.sql, email);
  if (!user) throw new Refused(`There is no user ${email}.`);
  return createPasswordReset(tools, user.id);
}
