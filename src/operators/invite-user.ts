import type { Context } from '../context.ts';
import { addPerson } from './add-person.ts';
import { createInvitation } from './sign-in-link.ts';
import type { Role } from './store.ts';

/** `id` is the operator's. `link` is null for someone who has a password already, and signs in with that. */
export type InvitedUser = { id: string; email: string; link: string | null };

/**
 * Puts somebody into a project, who chooses a password behind the link. It is for the eyes of whoever runs the
 * installation: until it is used, whoever sees it can become that user, in other projects too.
 * Throws `Invalid` on `email`, `Refused` for someone who is in the project already.
 */
export async function inviteUser(
  tools: Pick<Context, 'sql' | 'clock' | 'newId' | 'config'>,
  invited: { projectId: string; email: string; role: Role },
): Promise<InvitedUser> {
  const { id, userId, hasPassword } = await addPerson(tools, { ...invited, passwordHash: null });
  const link = hasPassword ? null : await createInvitation(tools, userId);
  return { id, email: invited.email, link };
}
