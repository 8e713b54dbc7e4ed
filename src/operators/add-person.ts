import type { Context } from '../context.ts';
import { invalid, Refused } from '../lib/problem.ts';
import { complaintAboutEmail, nameIn } from './email.ts';
import { type InsertedOperator, insertOperator, type Role } from './store.ts';

type NewPerson = {
  projectId: string;
  email: string;
  role: Role;
  passwordHash: string | null;
  isProved: boolean;
};

/** Someone in a project, who may be in others already. Throws `Invalid` on `email`, `Refused` for someone who is in this one. */
export async function addPerson(
  { sql, clock, newId }: Pick<Context, 'sql' | 'clock' | 'newId'>,
  person: NewPerson,
): Promise<InsertedOperator> {
  const { email } = person;
  const complaint = complaintAboutEmail(email);
  if (complaint) throw invalid('email', complaint);
  const user = { ...person, id: newId(), name: nameIn(email), createdAt: clock.now() };
  const added = await insertOperator(sql, user);
  if (!added) throw new Refused(`${email} is already in this project.`);
  return added;
}
