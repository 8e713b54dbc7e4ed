import { once } from 'node:events';
import { isIP } from 'node:net';
import { ImapFlow } from 'imapflow';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { Link } from '../../contract/adapter.ts';
import { CredentialsRefused } from '../../contract/failure.ts';
import { readMail } from './read-mail.ts';
import { readServer, type Settings } from './settings.ts';

const patienceMs = 20_000;
/** Middleboxes drop connections that are silent for long. */
const idleMs = 5 * 60_000;
/** A larger mail is cut here, so its last attachment is incomplete. */
const mostBytes = 40 * 1024 * 1024;
/** The numbers of a million mails fit into a line. */
const mostOfLine = 8 * 1024 * 1024;

/** The next UID to read. UIDs are comparable only within one UIDVALIDITY. */
type Place = { validity: string; next: number };

/** Reads new mails of the inbox. Mails from before the first connection are ignored. */
export async function connect(settings: Settings, link: Link): Promise<void> {
  const { imap_url } = settings;
  if (!imap_url) return untilAborted(link);
  const imap = await open(imap_url, settings, link.client);
  const close = () => imap.close();
  link.signal.addEventListener('abort', close);
  try {
    const lost = once(imap, 'close');
    const inbox = await imap.mailboxOpen('INBOX', { readOnly: true });
    let place = placeIn({ validity: String(inbox.uidValidity), next: inbox.uidNext }, link.cursor);
    await link.store([], cursorOf(place));
    link.ready();
    while (imap.usable && !link.signal.aborted) {
      const more = once(imap, 'exists');
      place = await readFrom(imap, place, settings, link);
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

async function untilAborted({ signal, ready }: Link): Promise<void> {
  ready();
  if (!signal.aborted) await once(signal, 'abort');
}

/** Connects and logs in. Throws `CredentialsRefused` if the server refuses the credentials. */
export async function open(address: string, settings: Settings, outbound: Outbound): Promise<ImapFlow> {
  const { host, port, secure, user, pass } = readServer(address);
  const [ip] = await outbound.addressesOf(host, port);
  const imap = new ImapFlow({
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
    maxLiteralSize: mostBytes,
    maxResponseSize: mostBytes + mostOfLine,
    logger: false,
  });
  imap.on('error', () => {});
  try {
    await imap.connect();
    return imap;
  } catch (error) {
    throw isRefused(error) ? new CredentialsRefused(String(Object(error).responseText)) : error;
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

/** Stores each mail together with the next cursor. */
async function readFrom(imap: ImapFlow, from: Place, settings: Settings, link: Link): Promise<Place> {
  let place = from;
  const found = (await imap.search({ uid: `${from.next}:*` }, { uid: true })) || [];
  // `n:*` always includes the last mail, even if its UID is lower.
  for (const uid of found.filter((uid) => uid >= from.next).sort((one, other) => one - other)) {
    const mail = await imap.fetchOne(uid, { source: { maxLength: mostBytes } }, { uid: true });
    const source = mail ? mail.source : undefined;
    const fallbackId = `${from.validity}:${uid}`;
    place = { ...place, next: uid + 1 };
    await link.store(source ? await readMail({ source, fallbackId }, settings) : [], cursorOf(place));
  }
  return place;
}
