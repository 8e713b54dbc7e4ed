import type { Context } from '../../platform/context.ts';
import type { Role } from '../auth/operators-store.ts';
import { addPerson } from './add-person.ts';
import { addedMail, invitationMail, type MailOutcome, mailIfPossible } from './mails.ts';
import { createInvitation } from './sign-in-link.ts';

/** `id` is the operator's. `link` is null for someone who has a password already, and signs in with that. */
export type InvitedUser = { id: string; email: string; link: string | null; mail: MailOutcome };

type Tools = Pick<Context, 'sql' | 'clock' | 'newId' | 'config' | 'log'>;

/**
 * Puts somebody into a project, who chooses a password behind the link. It is for the eyes of whoever runs the
 * installation: until it is used, whoever sees it can become that user, in other projects too.
 * Throws `Invalid` on `email`, `Refused` for someone who is in the project already.
 */
export async function inviteUser(
  tools: Tools,
  { projectName, ...invited }: { projectId: string; projectName: string; email: string; role: Role },
): Promise<InvitedUser> {
  const added = await addPerson(tools, { ...invited, passwordHash: null, isProved: true, isAsked: false });
  const { email } = added;
  const signsIn = added.hasPassword && !added.awaitsProof;
  const link = signsIn ? null : await createInvitation(tools, added.userId, invited.projectId);
  const mail =
    link === null ? addedMail(tools.config, email, projectName) : invitationMail(email, projectName, link);
  return { id: added.id, email, link, mail: await mailIfPossible(tools, mail) };
}
