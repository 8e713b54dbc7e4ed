import { once } from 'node:events';
import { isIP } from 'node:net';
import { ImapFlow } from 'imapflow';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { Link } from '../../contract/adapter.ts';
import { CredentialsRefused } from '../../contract/failure.ts';
import { eventsOf } from './receive.ts';
import { readServer, type Settings } from './settings.ts';

const patienceMs = 20_000;
/** Middleboxes forget a connection that says nothing for long. */
const idleMs = 5 * 60_000;
/** Of a larger mail only so much is read: its last file is not whole then. */
const mostBytes = 40 * 1024 * 1024;

/** Where reading goes on. UIDs count from `validity` on only. */
type Place = { validity: string; next: number };

/** Reads the inbox as mails come in, from the first connection on. What lay there before is nobody's message. */
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

/** Logs in. Throws `CredentialsRefused` where the server does not take them. */
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

/** Some servers answer a login with NO because they are in trouble themselves. Source: RFC 5530. */
function isRefused(error: unknown): boolean {
  const { authenticationFailed, responseStatus, serverResponseCode } = Object(error);
  const inTrouble = ['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG'].includes(serverResponseCode);
  return authenticationFailed === true && responseStatus === 'NO' && !inTrouble;
}

/** A mailbox that was made anew counts anew: what it holds is read, and what was read before is known by its id. */
function placeIn(now: Place, cursor: string | null): Place {
  if (cursor === null) return now;
  const [validity = '', next = ''] = cursor.split(':');
  return validity === now.validity ? { validity, next: Number(next) } : { ...now, next: 1 };
}

const cursorOf = ({ validity, next }: Place): string => `${validity}:${next}`;

/** Stores each mail with the place behind it. */
async function readFrom(imap: ImapFlow, from: Place, settings: Settings, link: Link): Promise<Place> {
  let place = from;
  const found = (await imap.search({ uid: `${from.next}:*` }, { uid: true })) || [];
  // `n:*` means the last mail too, whatever its number.
  for (const uid of found.filter((uid) => uid >= from.next).sort((one, other) => one - other)) {
    const mail = await imap.fetchOne(uid, { source: { maxLength: mostBytes } }, { uid: true });
    const source = mail ? mail.source : undefined;
    const fallbackId = `${from.validity}:${uid}`;
    place = { ...place, next: uid + 1 };
    await link.store(source ? await eventsOf({ source, fallbackId }, settings) : [], cursorOf(place));
  }
  return place;
}
