import { createHmac } from 'node:crypto';
import { constantTimeEqual } from '../../platform/secrets/secret.ts';

/** Whether a page may show the widget. Without a list every page may. */
export function admitsOrigin(allowedOrigins: string | undefined, origin: string): boolean {
  const allowed = (allowedOrigins ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  return (
    allowed.length === 0 || allowed.some((entry) => admits(entry.replace(/\/$/, '').toLowerCase(), origin))
  );
}

/** `https://*.shop.example` stands for all hosts below this one. */
function admits(entry: string, origin: string): boolean {
  const [scheme, host] = entry.split('://*.', 2);
  if (host === undefined) return entry === origin;
  return origin.startsWith(`${scheme}://`) && origin.endsWith(`.${host}`);
}

/** The page's own server computes it for its signed-in user, in hex. */
export const identityHash = (secret: string, userId: string): string =>
  createHmac('sha256', secret).update(userId).digest('hex');

/**
 * The same for a hash that expires, with its expiry in seconds. The other hash function keeps the two apart: an id
 * may be any text, even `7.ann`.
 */
export const expiringHash = (secret: string, userId: string, exp: number): string =>
  createHmac('sha512', secret).update(`${exp}.${userId}`).digest('hex');

export type Claim = { id: string; hash: string; exp?: number | null };

/** Whether the page has signed the user's identity, and the hash has not expired. */
export function provesIdentity(secret: string, { id, hash, exp = null }: Claim, now: Date): boolean {
  if (exp !== null && exp * 1000 <= now.getTime()) return false;
  const right = exp === null ? identityHash(secret, id) : expiringHash(secret, id, exp);
  return constantTimeEqual(right, hash.toLowerCase());
}

/** Identifies a key without revealing it. Sessions of users end with the key that signed their identity. */
export const keyVersion = (secret: string): string =>
  createHmac('sha256', secret).update('version of a key of identities').digest('base64url').slice(0, 16);

/** Chat addresses on a widget channel. */
export const addressOfUser = (userId: string): string => `user:${userId}`;
export const addressOfStranger = (id: string): string => `visitor:${id}`;
export const isStranger = (address: string): boolean => address.startsWith('visitor:');

/** The owner of a file, as its row has it. */
export const uploaderOf = (chat: { channelId: string; address: string }): string =>
  `${chat.channelId} ${chat.address}`;

const uuidLength = 36;

/** A browser's message id is unique only within its chat. A channel's external ids are unique within the channel. */
export const externalIdOf = (address: string, echoId: string): string => `${address}/${echoId.toLowerCase()}`;
export const echoIdOf = (externalId: string): string => externalId.slice(-uuidLength);

/** A cursor in a chat's history: the time when a message became visible, and its id. Older messages follow. */
export type Place = { at: Date; id: string };

export const placePattern = '^\\d{1,14}\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

export const writePlace = ({ at, id }: Place): string => `${at.getTime()}.${id}`;

export function readPlace(text: string): Place {
  const [ms, id = ''] = text.split('.');
  return { at: new Date(Number(ms)), id };
}
