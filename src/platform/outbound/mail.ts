import { createTransport } from 'nodemailer';

/** Where mail is handed in: an smtp: or smtps: address with its user and password, and who it is from. */
export type Smtp = { url: string; from: string };

export type Mail = { to: string; subject: string; text: string };

/** The mail server has not taken it, for the reason in `cause`. */
export class MailFailed extends Error {}

const patienceMs = 10_000;

/** Hands over one mail, in plain text. Throws `MailFailed`. */
export async function sendMail({ url, from }: Smtp, { to, subject, text }: Mail): Promise<void> {
  const transport = createTransport({
    url,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    // An address on its own would be read as a list of them.
    await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
  } catch (cause) {
    throw new MailFailed('The mail server did not take the mail.', { cause });
  } finally {
    transport.close();
  }
}
