import type { Context } from '../../platform/context.ts';
import type { Role } from '../auth/operators-store.ts';
import { addPerson } from './add-person.ts';
import { admitMail, invitationMail, joinMail, mailIfPossible } from './mails.ts';
import { createInvitation, createShownInvitation } from './sign-in-link.ts';

/**
 * How a member gets in: by a mail, or by a `link` that their administrator passes on. The answer does not reveal
 * whether they have an account.
 */
export type Way = { way: 'mailed' | 'link'; link: string | null; mailFailed: boolean };

type Tools = Pick<Context, 'sql' | 'clock' | 'newId' | 'config' | 'log'>;
/** `by` is the inviting user. */
type Inviting = { projectId: string; projectName: string; by: string };

/**
 * Invites a person to an administrator's own project. They belong to it when they accept. `id` is the operator's id.
 * Throws `Invalid` on `email`, `Refused` for a person who is already in the project, and `Throttled`.
 */
export async function inviteMember(
  tools: Tools,
  { email, role, ...inviting }: Inviting & { email: string; role: Role },
): Promise<Way & { id: string }> {
  const { projectId } = inviting;
  const added = await tools.sql.begin(async (tx) => {
    const person = { projectId, email, role, passwordHash: null, isProved: false, isAsked: true };
    const invited = await addPerson({ ...tools, sql: tx }, person);
    // Last, so that a mistyped address does not count.
    await admitMail({ ...tools, sql: tx }, { to: invited.email, by: inviting.by });
    return invited;
  });
  const { id, userId } = added;
  const signsIn = added.hasPassword && !added.awaitsProof;
  return { id, ...(await openWay(tools, inviting, { id, userId, email: added.email, signsIn })) };
}

/** Invites again a person who has not come yet. Throws `Throttled`. */
export async function inviteAgain(tools: Tools, inviting: Inviting, member: Member): Promise<Way> {
  await admitMail(tools, { to: member.email, by: inviting.by });
  return openWay(tools, inviting, member);
}

export type Member = { id: string; userId: string; email: string; signsIn: boolean };

/** Mails the invited person their link. If that fails, returns a link to pass on. */
async function openWay(
  tools: Tools,
  { projectId, projectName }: Inviting,
  { id: operatorId, userId, email, signsIn }: Member,
): Promise<Way> {
  const mail = tools.config.smtp && (await mailFor());
  const outcome = mail ? await mailIfPossible(tools, mail) : 'off';
  const mailFailed = outcome === 'failed';
  if (outcome === 'sent') return { way: 'mailed', link: null, mailFailed };
  const link = await createShownInvitation(tools, { projectId, operatorId, userId });
  return { way: 'link', link, mailFailed };

  async function mailFor() {
    if (signsIn) return joinMail(tools.config, email, projectName);
    return invitationMail(email, projectName, await createInvitation(tools, userId, projectId));
  }
}
