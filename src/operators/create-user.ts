import type { Context } from '../context.ts';
import { Invalid, invalid, messages, Refused } from '../lib/problem.ts';
import { complaintAboutEmail, nameIn } from './email.ts';
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

/**
 * Someone who signs in by password, as an operator or administrator of the project.
 * Throws `Invalid` on `email` and `password`, `Refused` for someone who is in the project already.
 */
export async function createUser(
  { sql, clock, newId }: Pick<Context, 'sql' | 'clock' | 'newId'>,
  { projectId, email, role, password }: NewUser,
): Promise<CreatedUser> {
  const complaint = complaintAboutEmail(email);
  if (complaint) throw invalid('email', complaint);
  checkPassword(password);
  const passwordHash = await hashPassword(password);
  const user = {
    id: newId(),
    projectId,
    email,
    name: nameIn(email),
    role,
    passwordHash,
    createdAt: clock.now(),
  };
  const created = await insertOperator(sql, user);
  if (!created) throw new Refused(`${email} is already in this project.`);
  return { ...created, email };
}

function checkPassword(password: string): void {
  if (password.length > maxPassword) throw new Invalid({ password: [messages.maxLength(maxPassword)] });
  if (password.length < minPassword) {
    throw new Invalid({ password: [`Ensure this field has at least ${minPassword} characters.`] });
  }
}
