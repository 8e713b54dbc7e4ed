import { isIP } from 'node:net';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { onAbort } from '../../../platform/on-abort.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { type Refusal, refusalOf } from './refusals.ts';
import { readServer, type Settings } from './settings.ts';

const patienceMs = 20_000;
const idleMs = 2_000;
/** Many servers end a connection after a hundred mails. */
const mostMails = 100;

/** The server refused a mail or a login, or the connection failed. */
export class SmtpFailed extends Error {
  readonly refusal: Refusal;
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.refusal = refusalOf(cause);
  }
}

type Account = Pick<Settings, 'smtp_url' | 'tls'>;
type Work = (smtp: SMTPConnection) => Promise<void>;
type Connection = { key: string; smtp: SMTPConnection; mails: number; idleTimer?: NodeJS.Timeout };

/** Logged-in connections that wait for a mail. A login for each mail would take longer than the mail. */
const idle = new Map<string, Set<Connection>>();

/**
 * Works with a connection that is logged in. A kept one may have ended meanwhile: work that fails on it is repeated on
 * a new one, if it may be. Throws `SmtpFailed`, and the errors of `addressesOf`.
 */
export async function withConnection(
  account: Account,
  outbound: Outbound,
  signal: AbortSignal,
  work: Work,
  mayRepeat: () => boolean,
): Promise<void> {
  const address = await addressOf(account, outbound);
  const kept = takeIdle(keyOf(account, address));
  try {
    await use(kept ?? (await open(account, address, signal)), signal, work);
  } catch (error) {
    if (!kept || signal.aborted || !mayRepeat()) throw error;
    await use(await open(account, address, signal), signal, work);
  }
}

/** Throws `SmtpFailed` if the server refuses the credentials. */
export async function logIn(account: Account, outbound: Outbound, signal: AbortSignal): Promise<void> {
  const { smtp } = await open(account, await addressOf(account, outbound), signal);
  smtp.quit();
}

/** The address is checked again for each use. */
async function addressOf({ smtp_url }: Account, outbound: Outbound): Promise<string> {
  const { host, port } = readServer(smtp_url);
  const [address] = await outbound.addressesOf(host, port);
  return address ?? host;
}

const keyOf = ({ smtp_url, tls }: Account, address: string): string =>
  JSON.stringify([smtp_url, tls, address]);

/** If the server offers STARTTLS, neither the login nor a mail is sent without it. */
async function open(account: Account, address: string, signal: AbortSignal): Promise<Connection> {
  const { host, port, secure, user, pass } = readServer(account.smtp_url);
  const smtp = new SMTPConnection({
    host: address,
    port,
    secure,
    ...(!isIP(host) && { servername: host }),
    tls: { rejectUnauthorized: account.tls !== 'insecure' },
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    socketCloseTimeout: 1000,
  });
  // A connection that ends while it is idle is noticed at its next use.
  smtp.on('error', () => {});
  await orClosed(smtp, signal, async () => {
    await called((done) => smtp.connect(done));
    if (user && smtp.allowsAuth) await called((done) => smtp.login({ user, pass }, done));
  });
  return { key: keyOf(account, address), smtp, mails: 0 };
}

async function use(connection: Connection, signal: AbortSignal, work: Work): Promise<void> {
  await orClosed(connection.smtp, signal, () => work(connection.smtp));
  connection.mails += 1;
  if (connection.mails < mostMails) keepIdle(connection);
  else connection.smtp.quit();
}

/** Closes the connection unless the work succeeds. Throws `SmtpFailed`. */
async function orClosed(smtp: SMTPConnection, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  const giveUp = () => lose(new Error('There was no complete answer in time.'));
  const release = onAbort(signal, giveUp);
  if (signal.aborted) giveUp();
  smtp.on('error', lose);
  try {
    await Promise.race([lost, work()]);
  } catch (error) {
    smtp.close();
    throw error instanceof Error ? new SmtpFailed(error) : error;
  } finally {
    smtp.off('error', lose);
    release();
  }
}

function takeIdle(key: string): Connection | undefined {
  const [connection] = idle.get(key) ?? [];
  if (connection) forget(connection);
  return connection;
}

function keepIdle(connection: Connection): void {
  const { key, smtp } = connection;
  const others = idle.get(key) ?? new Set();
  idle.set(key, others.add(connection));
  connection.idleTimer = setTimeout(() => {
    forget(connection);
    smtp.quit();
  }, idleMs);
}

function forget(connection: Connection): void {
  clearTimeout(connection.idleTimer);
  const kept = idle.get(connection.key);
  kept?.delete(connection);
  if (kept?.size === 0) idle.delete(connection.key);
}

export function called(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  start((error) => (error ? reject(error) : resolve()));
  return promise;
}
