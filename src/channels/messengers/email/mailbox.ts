import { once } from 'node:events';
import { isIP } from 'node:net';
import { ImapFlow } from 'imapflow';
import { onAbort } from '../../../platform/on-abort.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { Link } from '../../contract/adapter.ts';
import { CredentialsRefused } from '../../contract/failure.ts';
import type { InboundEvent } from '../../contract/inbound.ts';
import { createFairTurns } from './fair-turns.ts';
import { isSmall, readMail } from './read-mail.ts';
import { createResponseBudget } from './response-budget.ts';
import { readServer, type Settings } from './settings.ts';

const patienceMs = 20_000;
/** Middleboxes drop connections that are silent for long. */
const idleMs = 5 * 60_000;
/** A larger mail is cut here, so its last attachment is incomplete. */
const mostBytes = 40 * 1024 * 1024;
/** A large mail is fetched in pieces: a connection that waits for its turn holds little. */
const pieceBytes = 512 * 1024;
const fetchMs = 60_000;
/** RFC 9051, section 2.3.1.1. */
const mostOfUid = 4_294_967_295;
const nonsense = 'The answer of the mail server makes no sense.';
/** The numbers of so many mails fit into a line. */
const numbersAtOnce = 100_000;
const mostOfLine = 1024 * 1024;
const mostOfLiteral = 1024 * 1024;

/** Of all mailboxes, so many are read at the same time. The threads and mails together take about a gigabyte. */
const turns = createFairTurns(4);

/** The next UID to read. UIDs are comparable only within one UIDVALIDITY. */
type Place = { validity: string; next: number };

/** Reads new mails of the inbox. Mails from before the first connection are ignored. */
export async function connect(settings: Settings, link: Link): Promise<void> {
  const { imap_url } = settings;
  if (!imap_url) return untilAborted(link);
  const imap = await open(imap_url, settings, { outbound: link.client, signal: link.signal });
  const close = () => imap.close();
  link.signal.addEventListener('abort', close);
  try {
    const lost = eventOf(imap, 'close');
    const inbox = await imap.mailboxOpen('INBOX', { readOnly: true });
    // It is missing if it is no number.
    if (!Number.isInteger(inbox.uidNext) || inbox.uidNext > mostOfUid) throw new Error(nonsense);
    let place = placeIn({ validity: String(inbox.uidValidity), next: inbox.uidNext }, link.cursor);
    await link.store([], cursorOf(place));
    link.ready();
    while (imap.usable && !link.signal.aborted) {
      const more = eventOf(imap, 'exists');
      place = await readFrom(imap, place, settings, { link, newest: inbox.uidNext });
      await Promise.race([more, lost]);
    }
    if (!link.signal.aborted) throw new Error('The mail server closed the connection.');
  } catch (error) {
    if (!link.signal.aborted) throw error;
  } finally {
    link.signal.removeEventListener('abort', close);
    imap.close();
  }
}

/** Rejects if the connection breaks before. Without its own listener that would end the process, while mails are read. */
function eventOf(imap: ImapFlow, event: 'close' | 'exists'): Promise<unknown> {
  const emitted = once(imap, event);
  emitted.catch(() => {});
  return emitted;
}

async function untilAborted({ signal, ready }: Link): Promise<void> {
  ready();
  if (!signal.aborted) await once(signal, 'abort');
}

/** An `ImapFlow` by itself logs in without TLS if the server refuses the STARTTLS that it offered. */
class Mailbox extends ImapFlow {
  override async upgradeToSTARTTLS(): Promise<boolean> {
    const isOffered = this.capabilities.has('STARTTLS');
    const isEncrypted = await super.upgradeToSTARTTLS();
    if (isOffered && !isEncrypted) throw new Error('The server refused the STARTTLS that it offers.');
    return isEncrypted;
  }
}

type Opening = { outbound: Outbound; signal: AbortSignal };

/** Connects and logs in. Throws `CredentialsRefused` if the server refuses the credentials. */
export async function open(
  address: string,
  settings: Settings,
  { outbound, signal }: Opening,
): Promise<ImapFlow> {
  const { host, port, secure, user, pass } = readServer(address);
  const [ip] = await outbound.addressesOf(host, port);
  signal.throwIfAborted();
  const budget = createResponseBudget(() => imap.close());
  const imap = new Mailbox({
    host: ip,
    port,
    secure,
    auth: { user, pass },
    ...(!isIP(host) && { servername: host }),
    tls: { rejectUnauthorized: settings.tls !== 'insecure' },
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    autoIdleDelay: 0,
    maxIdleTime: idleMs,
    maxLineLength: mostOfLine,
    maxLiteralSize: mostOfLiteral,
    maxResponseSize: mostOfLiteral + mostOfLine,
    logger: budget.log,
  });
  imap.on('error', () => {});
  const release = onAbort(signal, () => imap.close());
  try {
    await imap.connect();
    return imap;
  } catch (error) {
    imap.close();
    if (signal.aborted) throw new Error('There was no complete answer in time.');
    budget.throwIfSpent();
    throw isRefused(error) ? new CredentialsRefused(String(Object(error).responseText)) : error;
  } finally {
    release();
  }
}

/** A NO with one of these codes is a temporary problem of the server. Source: RFC 5530. */
function isRefused(error: unknown): boolean {
  const { authenticationFailed, responseStatus, serverResponseCode } = Object(error);
  const inTrouble = ['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG'].includes(serverResponseCode);
  return authenticationFailed === true && responseStatus === 'NO' && !inTrouble;
}

/** After a change of UIDVALIDITY the whole inbox is read again. Known mails are recognised by their Message-ID. */
function placeIn(now: Place, cursor: string | null): Place {
  if (cursor === null) return now;
  const [validity = '', next = ''] = cursor.split(':');
  return validity === now.validity ? { validity, next: Number(next) } : { ...now, next: 1 };
}

const cursorOf = ({ validity, next }: Place): string => `${validity}:${next}`;

type Reading = {
  link: Link;
  /** A mail from before the connection has a lower UID. */
  newest: number;
};

/** Stores each mail together with the next cursor. */
async function readFrom(
  imap: ImapFlow,
  from: Place,
  settings: Settings,
  { link, newest }: Reading,
): Promise<Place> {
  let place = from;
  for await (const uid of uidsFrom(imap, from.next, newest)) {
    place = { ...place, next: uid + 1 };
    const begin = await pieceOf(imap, uid, 0);
    const fallbackId = `${from.validity}:${uid}`;
    const events = begin ? await readBehind(imap, { uid, begin, fallbackId }, settings, link) : [];
    await link.store(events, cursorOf(place));
  }
  return place;
}

async function* uidsFrom(imap: ImapFlow, first: number, newest: number): AsyncGenerator<number> {
  for (let begin = first, isLast = false; !isLast; begin += numbersAtOnce) {
    isLast = begin + numbersAtOnce > newest;
    const range = `${begin}:${isLast ? '*' : begin + numbersAtOnce - 1}`;
    const found = await imap.search({ uid: range }, { uid: true });
    // Also without a connection: the next search would answer at once, too.
    if (!found) throw new Error(nonsense);
    // `n:*` always includes the last mail, even if its UID is lower.
    yield* found.filter((uid) => uid >= begin).sort((one, other) => one - other);
  }
}

async function pieceOf(imap: ImapFlow, uid: number, start: number): Promise<Buffer | null> {
  const mail = await imap.fetchOne(uid, { source: { start, maxLength: pieceBytes } }, { uid: true });
  return mail ? (mail.source ?? null) : null;
}

type Begun = { uid: number; begin: Buffer; fallbackId: string };

/** The events of a mail whose first piece is here. */
async function readBehind(
  imap: ImapFlow,
  { uid, begin, fallbackId }: Begun,
  settings: Settings,
  { signal }: Link,
): Promise<InboundEvent[]> {
  if (isSmall(begin)) return readMail({ source: begin, fallbackId }, settings);
  // Another project may claim the same sender, but only its owner knows how to open the mailbox.
  return turns(settings.imap_url ?? settings.from, signal, async () =>
    readMail({ source: await wholeOf(imap, uid, begin), fallbackId }, settings),
  );
}

/** Throws when the server sends no piece in time. A mail that takes longer in all is cut. */
async function wholeOf(imap: ImapFlow, uid: number, begin: Buffer): Promise<Buffer> {
  const pieces = [begin];
  const late = AbortSignal.timeout(fetchMs);
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  lost.catch(() => {});
  const release = onAbort(late, () => lose(new Error('The mail server sends a mail too slowly.')));
  let bytes = begin.length;
  for (let last = begin; last.length === pieceBytes && bytes < mostBytes && !late.aborted; ) {
    const piece = await Promise.race([pieceOf(imap, uid, bytes), lost]);
    if (!piece || piece.length === 0) break;
    pieces.push(piece);
    bytes += piece.length;
    last = piece;
  }
  release();
  return Buffer.concat(pieces);
}
