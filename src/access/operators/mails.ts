import type { Config } from '../../platform/config.ts';
import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { keepTo, type Rate } from '../../platform/limits/rates.ts';
import { type Mail, MailFailed, sendMail } from '../../platform/outbound/mail.ts';
import { type Email, readEmail } from '../auth/email.ts';

/** The outcome of a mail; `off` without a mail server. */
export type MailOutcome = 'sent' | 'failed' | 'off';

/** Hands over the mail if a mail server is configured. A failure is logged. `doubtful`: it may have arrived. */
export async function tryMail(
  { config: { smtp }, log }: Pick<Context, 'config' | 'log'>,
  mail: Mail,
): Promise<MailOutcome | 'doubtful'> {
  if (smtp === null) return 'off';
  try {
    await sendMail(smtp, mail);
    return 'sent';
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error;
    log.warn({ err: error }, 'a mail could not be sent');
    return error.mayHaveArrived ? 'doubtful' : 'failed';
  }
}

/** The same for a mail that is not tried again. A failure does not undo the action behind the mail. */
export async function mailIfPossible(
  tools: Pick<Context, 'config' | 'log'>,
  mail: Mail,
): Promise<MailOutcome> {
  const outcome = await tryMail(tools, mail);
  return outcome === 'doubtful' ? 'failed' : outcome;
}

const hourMs = 3_600_000;
/** Limits per hour. */
const mostToOne = 4;
const mostByOne = 15;
const mostToApprove = 20;

const hourly = (subject: string, most: number): Rate => ({ subject, most, inMs: hourMs });

const mailsTo = (address: string): Rate => hourly(`mail to ${readEmail(address) ?? address}`, mostToOne);

const mailsBy = (person: string): Rate => hourly(`mail by ${person}`, mostByOne);

/** Counted separately, so that invitations from others cannot keep a person from their password. */
export const recoveryMailsTo = (email: Email): Rate => hourly(`recovery mail to ${email}`, mostToOne);

/** Somebody who makes many mailings fills no colleague's mailbox. */
export const approvalMailsTo = (email: string): Rate => hourly(`approval mail to ${email}`, mostToApprove);

/**
 * Counts a requested mail, whether a mail server is configured or not. Throws `Throttled`. An hour allows a few mails
 * to one address, and a few by one person.
 */
export const admitMail = (
  tools: Pick<Context, 'clock'> & { sql: Sql },
  { to, by }: { to: string; by: string },
): Promise<void> => keepTo(tools, [mailsTo(to), mailsBy(by)]);

export const invitationMail = (to: string, project: string, link: string): Mail => ({
  to,
  subject: `You are invited to ${inSubject(project)}`,
  text: `You are invited to ${inOneLine(project)}, a project in Patchbay.

Choose a password with this link. It works once, within a day:
${link}

If you did not expect this, do nothing.
`,
});

/** For a person with a password, who belongs to the project when they accept. */
export const joinMail = ({ publicUrl }: Config, to: string, project: string): Mail => ({
  to,
  subject: `You are invited to ${inSubject(project)}`,
  text: `You are invited to ${inOneLine(project)}, a project in Patchbay.

Sign in with your password, then accept or decline the invitation:
${publicUrl}/console/

If you did not expect this, do nothing.
`,
});

export const addedMail = ({ publicUrl }: Config, to: string, project: string): Mail => ({
  to,
  subject: `You were added to ${inSubject(project)}`,
  text: `You were added to ${inOneLine(project)}. Sign in with your password:
${publicUrl}/console/
`,
});

/** Who is asked about what. */
export type Approver = {
  project_id: string;
  project: string;
  mailing_id: string;
  mailing: string;
  author: string | null;
  email: string;
};

export const approvalMail = ({ publicUrl }: Config, asked: Approver): Mail => ({
  to: asked.email,
  subject: `A mailing waits for your approval: ${inSubject(asked.mailing)}`,
  text: `${inOneLine(asked.author ?? 'A colleague')} asks you to approve the mailing "${inOneLine(asked.mailing)}" in ${inOneLine(asked.project)}.

Nobody gets it before another administrator has approved it:
${publicUrl}/console/${asked.project_id}/mailings/${asked.mailing_id}/
`,
});

export const resetMail = (to: string, link: string): Mail => ({
  to,
  subject: 'Choose a new password',
  text: `Someone, perhaps you, asked for a link to choose a new password.
The link works once, within an hour:
${link}

If it was not you, ignore this email. Your password stays the same.
`,
});

/** A stranger's name in our text. With line breaks it could say anything in our name. */
const inOneLine = (name: string): string => name.replace(/[\s\p{C}\p{Z}]+/gu, ' ').trim();

/** Shortens a name to fit a subject. */
function inSubject(name: string): string {
  const line = inOneLine(name);
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
