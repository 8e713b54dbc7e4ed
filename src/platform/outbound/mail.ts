import { PassThrough } from 'node:stream';
import { createTransport } from 'nodemailer';

/** The mail server (an smtp: or smtps: address with user and password), and the sender's address. */
export type Smtp = { url: string; from: string };

export type Mail = { to: string; subject: string; text: string };

/** The mail server has not confirmed the mail. `cause` has the reason. */
export class MailFailed extends Error {
  /** False if the server certainly does not have the mail. */
  readonly mayHaveArrived: boolean;
  constructor(mayHaveArrived: boolean, cause: unknown) {
    super('The mail server did not take the mail.', { cause });
    this.mayHaveArrived = mayHaveArrived;
  }
}

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
  let isBegun = false;
  // The text is asked for after the login.
  transport.use('stream', ({ message }, done) => {
    message.transform(() => {
      isBegun = true;
      return new PassThrough();
    });
    done();
  });
  try {
    // A plain string would be parsed as a list of addresses.
    await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
  } catch (cause) {
    throw new MailFailed(isBegun && !isRefusal(cause), cause);
  } finally {
    transport.close();
  }
}

/** Whether the server has answered that it does not take the mail. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number';
