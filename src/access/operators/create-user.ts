import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/problem.ts';
import type { Role } from '../auth/operators-store.ts';
import { addPerson } from './add-person.ts';
import { complaintAboutPassword, hashPassword } from './password.ts';

export type NewUser = { projectId: string; email: string; role: Role; password: string };

/** `id` is the operator's. */
export type CreatedUser = {
  id: string;
  email: string;
  /** False for someone whom another project had made a user: the password is still the one from there. */
  isNew: boolean;
  /** They sign in to this project no sooner than they have followed a link that was meant for them alone. */
  awaitsProof: boolean;
};

/**
 * Someone who signs in by password, as an operator or administrator of the project.
 * Throws `Invalid` on `email` and `password`, `Refused` for someone who is in the project already.
 */
export async function createUser(
  tools: Pick<Context, 'sql' | 'clock' | 'newId'>,
  { password, ...person }: NewUser,
): Promise<CreatedUser> {
  const complaint = complaintAboutPassword(password);
  if (complaint) throw invalid('password', complaint);
  const { id, email, isNew, awaitsProof } = await addPerson(tools, {
    ...person,
    passwordHash: await hashPassword(password),
    isProved: true,
    isAsked: false,
  });
  return { id, email, isNew, awaitsProof };
}
