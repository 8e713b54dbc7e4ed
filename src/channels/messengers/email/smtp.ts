import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { SendResult } from '../../contract/adapter.ts';
import { readableWords } from '../../shared/answer.ts';
import { errorOf, type Refusal } from './refusals.ts';
import { readServer, type Settings } from './settings.ts';

const patienceMs = 20_000;

/** The server refused a mail or a login, or the connection failed. */
export class SmtpFailed extends Error {
  readonly refusal: Refusal;
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.refusal = refusalOf(cause);
  }
}

export type Letter = { uuid: string; from: string; to: string; content: Buffer };

/** Sends one mail. Throws the errors of `addressesOf`. */
export async function handIn(
  settings: Settings,
  outbound: Outbound,
  letter: Letter,
  signal: AbortSignal,
): Promise<SendResult> {
  let wholeWritten = false;
  const content = () => Readable.from([letter.content]).once('end', () => (wholeWritten = true));
  try {
    await withServer(settings, outbound, signal, async (smtp) => {
      await called((done) => smtp.send(envelopeOf(letter), content(), done)).catch((error) => {
        // Some servers accept only the account's own address as the envelope sender.
        if (!isSenderRefused(error)) throw error;
        return called((done) => smtp.send(envelopeOf({ ...letter, from: settings.from }), content(), done));
      });
    });
    return { sent: true, providerId: null };
  } catch (error) {
    if (!(error instanceof SmtpFailed)) throw error;
    return { sent: false, error: errorOf(error.refusal, wholeWritten) };
  }
}

/** Throws `SmtpFailed` if the server refuses the credentials. */
export const logIn = (settings: Settings, outbound: Outbound, signal: AbortSignal): Promise<void> =>
  withServer(settings, outbound, signal, async () => {});

/** If the server offers STARTTLS, neither the login nor a mail is sent without it. */
async function withServer(
  settings: Settings,
  outbound: Outbound,
  signal: AbortSignal,
  work: (smtp: SMTPConnection) => Promise<void>,
): Promise<void> {
  const { host, port, secure, user, pass } = readServer(settings.smtp_url);
  const [address] = await outbound.addressesOf(host, port);
  const smtp = new SMTPConnection({
    host: address,
    port,
    secure,
    ...(!isIP(host) && { servername: host }),
    tls: { rejectUnauthorized: settings.tls !== 'insecure' },
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    socketCloseTimeout: 1000,
  });
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  const giveUp = () => lose(new Error('There was no complete answer in time.'));
  smtp.on('error', lose);
  signal.addEventListener('abort', giveUp);
  if (signal.aborted) giveUp();
  const conversation = async () => {
    await called((done) => smtp.connect(done));
    if (user && smtp.allowsAuth) await called((done) => smtp.login({ user, pass }, done));
    await work(smtp);
  };
  try {
    await Promise.race([lost, conversation()]);
    smtp.quit();
  } catch (error) {
    smtp.close();
    throw error instanceof Error ? new SmtpFailed(error) : error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

const envelopeOf = ({ uuid, from, to, content }: Letter) => ({
  from,
  to,
  size: content.length,
  dsn: { ret: 'HDRS', envid: uuid, notify: ['SUCCESS', 'FAILURE', 'DELAY'], orcpt: `rfc822;${to}` },
});

function called(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  start((error) => (error ? reject(error) : resolve()));
  return promise;
}

const isSenderRefused = (error: unknown): boolean => {
  const { command, code } = refusalOf(error);
  return command === 'MAIL FROM' && code !== null && code >= 550 && code !== 552;
};

function refusalOf(error: unknown): Refusal {
  const { message, command, response, responseCode, code } = Object(error);
  return {
    command: typeof command === 'string' ? command : 'CONN',
    code: typeof responseCode === 'number' ? responseCode : null,
    text: readableWords(String(response || message), []),
    isLogin: code === 'EAUTH',
  };
}
