import type { Context } from '../context.ts';
import { Invalid, messages, Refused } from '../lib/problem.ts';
import { hashPassword } from './password.ts';
import { insertOperator, type Role } from './store.ts';

export type NewUser = { projectId: string; email: string; role: Role; password: string };

/** `id` is the operator's. */
export type CreatedUser = {
  id: string;
  email: string;
  /** False for someone whom another project had made a user: the password is still the one from there. */
  isNew: boolean;
};

const minPassword = 8;
const maxPassword = 1024;
const maxEmail = 254;

/**
 * Someone who signs in by password, as an operator or administrator of the project.
 * Throws `Invalid` on `email` and `password`, `Refused` for someone who is in the project already.
 */
export async function createUser(
  { sql, clock, newId }: Pick<Context, 'sql' | 'clock' | 'newId'>,
  { projectId, email, role, password }: NewUser,
): Promise<CreatedUser> {
  checkEmail(email);
  checkPassword(password);
  const passwordHash = await hashPassword(password);
  const name = email.slice(0, email.lastIndexOf('@'));
  const user = { id: newId(), projectId, email, name, role, passwordHash, createdAt: clock.now() };
  const created = await insertOperator(sql, user);
  if (!created) throw new Refused(`${email} is already in this project.`);
  return { ...created, email };
}

/** Only what no address can be without: whether it exists, the mail server knows. */
function checkEmail(email: string): void {
  if (email.length > maxEmail) throw new Invalid({ email: [messages.maxLength(maxEmail)] });
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Invalid({ email: ['Enter a valid email address.'] });
}

function checkPassword(password: string): void {
  if (password.length > maxPassword) throw new Invalid({ password: [messages.maxLength(maxPassword)] });
  if (password.length < minPassword) {
    throw new Invalid({ password: [`Ensure this field has at least ${minPassword} characters.`] });
  }
}
