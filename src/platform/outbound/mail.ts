import { createTransport } from 'nodemailer';

/** The mail server (an smtp: or smtps: address with user and password), and the sender's address. */
export type Smtp = { url: string; from: string };

export type Mail = { to: string; subject: string; text: string };

/** The mail server has not accepted the mail. `cause` has the reason. */
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
    // A plain string would be parsed as a list of addresses.
    await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
  } catch (cause) {
    throw new MailFailed('The mail server did not take the mail.', { cause });
  } finally {
    transport.close();
  }
}
