import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/problem.ts';
import type { Role } from '../auth/operators-store.ts';
import { addPerson } from './add-person.ts';
import { complaintAboutPassword, hashPassword } from './password.ts';

export type NewUser = { projectId: string; email: string; role: Role; password: string };

/** `id` is the operator's id. */
export type CreatedUser = {
  id: string;
  userId: string;
  email: string;
  /** False for a user of another project, whose password stays. */
  isNew: boolean;
  /** They can sign in to this project only after they follow a link that was sent to them alone. */
  awaitsProof: boolean;
};

/**
 * Makes an operator or administrator of the project who signs in by password. Throws `Invalid` on `email` and
 * `password`, and `Refused` for a person who is already in the project.
 */
export async function createUser(
  tools: Pick<Context, 'sql' | 'clock' | 'newId'>,
  { password, ...person }: NewUser,
): Promise<CreatedUser> {
  const complaint = complaintAboutPassword(password);
  if (complaint) throw invalid('password', complaint);
  const passwordHash = await hashPassword(password);
  const { id, userId, email, isNew, awaitsProof } = await tools.sql.begin((sql) =>
    addPerson({ ...tools, sql }, { ...person, passwordHash, isProved: true, isAsked: false }),
  );
  return { id, userId, email, isNew, awaitsProof };
}
