import type { Context } from '../context.ts';
import { addPerson } from './add-person.ts';
import { addedMail, invitationMail, mailIfPossible } from './mails.ts';
import { createInvitation, createShownInvitation } from './sign-in-link.ts';
import type { Role } from './store.ts';

/**
 * How somebody gets in: `mailed`; `signs_in` with the password that they have; by the `link` that their administrator passes
 * on; or by one that only the `command_line` can make, for someone whom other projects know too.
 */
export type Way = {
  way: 'mailed' | 'signs_in' | 'command_line' | 'link';
  link: string | null;
  mailFailed: boolean;
};

type Tools = Pick<Context, 'sql' | 'clock' | 'newId' | 'config' | 'log'>;
type Project = { projectId: string; projectName: string };

/**
 * Puts somebody into an administrator's own project. `id` is the operator's.
 * Throws `Invalid` on `email`, `Refused` for someone who is in the project already.
 */
export async function inviteMember(
  tools: Tools,
  { projectId, projectName, email, role }: Project & { email: string; role: Role },
): Promise<Way & { id: string }> {
  const added = await addPerson(tools, { projectId, email, role, passwordHash: null, isProved: false });
  const { id, userId } = added;
  const signsIn = added.hasPassword && !added.awaitsProof;
  const member = { id, userId, email: added.email, signsIn };
  return { id, ...(await openWay(tools, { projectId, projectName }, member)) };
}

export type Member = { id: string; userId: string; email: string; signsIn: boolean };

/** Mails a member of the project what they need to get in; where that cannot be, finds another way. */
export async function openWay(
  tools: Tools,
  { projectId, projectName }: Project,
  { id, userId, email, signsIn }: Member,
): Promise<Way> {
  const mail = tools.config.smtp && (await mailFor());
  const outcome = mail ? await mailIfPossible(tools, mail) : 'off';
  const mailFailed = outcome === 'failed';
  if (outcome === 'sent') return { way: 'mailed', link: null, mailFailed };
  if (signsIn) return { way: 'signs_in', link: null, mailFailed };
  const link = await createShownInvitation(tools, { projectId, operatorId: id });
  return { way: link === null ? 'command_line' : 'link', link, mailFailed };

  async function mailFor() {
    if (signsIn) return addedMail(tools.config, email, projectName);
    return invitationMail(email, projectName, await createInvitation(tools, userId));
  }
}
