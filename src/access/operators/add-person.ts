import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { requireRoom } from '../../platform/limits/room-store.ts';
import { invalid, Refused } from '../../platform/problem.ts';
import { type Email, nameIn, notAnEmail, readEmail } from '../auth/email.ts';
import { type InsertedOperator, insertOperator, type Role } from '../auth/operators-store.ts';

type NewPerson = {
  projectId: string;
  /** As typed. */
  email: string;
  role: Role;
  passwordHash: string | null;
  isProved: boolean;
  isAsked: boolean;
};

/**
 * Adds a person to a project, in a transaction. They may be in other projects already. Throws `Invalid` on `email`,
 * and `Refused` for a person who is in this project.
 */
export async function addPerson(
  { sql, clock, newId }: Pick<Context, 'clock' | 'newId'> & { sql: Sql },
  person: NewPerson,
): Promise<InsertedOperator & { email: Email }> {
  const email = readEmail(person.email);
  if (email === null) throw invalid('email', notAnEmail);
  await requireRoom(sql, 'operators', person.projectId);
  const user = { ...person, email, id: newId(), name: nameIn(person.email), createdAt: clock.now() };
  const added = await insertOperator(sql, user);
  if (!added) throw new Refused(`${email} is already in this project.`);
  return { ...added, email };
}
