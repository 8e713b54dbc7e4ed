import type { Context } from '../../platform/context.ts';
import type { Role } from '../auth/operators-store.ts';
import { addPerson } from './add-person.ts';
import { addedMail, invitationMail, type MailOutcome, mailIfPossible } from './mails.ts';
import { createInvitation } from './sign-in-link.ts';

/** `id` is the operator's id. `link` is null for a person with a password, who signs in with that. */
export type InvitedUser = { id: string; email: string; link: string | null; mail: MailOutcome };

type Tools = Pick<Context, 'sql' | 'clock' | 'newId' | 'config' | 'log'>;

/**
 * Adds a person to a project, who chooses a password behind the link. Only the installation's administrator may see
 * the link: until it is used, anyone who sees it can become that user, in other projects too. Throws `Invalid` on
 * `email`, and `Refused` for a person who is already in the project.
 */
export async function inviteUser(
  tools: Tools,
  { projectName, ...invited }: { projectId: string; projectName: string; email: string; role: Role },
): Promise<InvitedUser> {
  const added = await tools.sql.begin((sql) =>
    addPerson({ ...tools, sql }, { ...invited, passwordHash: null, isProved: true, isAsked: false }),
  );
  const { email } = added;
  const signsIn = added.hasPassword && !added.awaitsProof;
  const link = signsIn ? null : await createInvitation(tools, added.userId, invited.projectId);
  const mail =
    link === null ? addedMail(tools.config, email, projectName) : invitationMail(email, projectName, link);
  return { id: added.id, email, link, mail: await mailIfPossible(tools, mail) };
}
