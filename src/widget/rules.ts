import { createHmac } from 'node:crypto';
import { constantTimeEqual } from '../lib/secret.ts';

/** Whether a page may show the widget. Without a list every page may. */
export function admitsOrigin(allowedOrigins: string | undefined, origin: string): boolean {
  const allowed = (allowedOrigins ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  return allowed.length === 0 || allowed.some((entry) => entry.replace(/\/$/, '').toLowerCase() === origin);
}

/** What the page's own server computes for its signed-in user, in hex. */
export const identityHash = (secret: string, userId: string): string =>
  createHmac('sha256', secret).update(userId).digest('hex');

export const provesIdentity = (secret: string, userId: string, hash: string): boolean =>
  constantTimeEqual(identityHash(secret, userId), hash.toLowerCase());

/** Chat addresses on a widget channel. */
export const addressOfUser = (userId: string): string => `user:${userId}`;
export const addressOfStranger = (id: string): string => `visitor:${id}`;

/** Who has uploaded a file, as its row says. */
export const uploaderOf = (chat: { channelId: string; address: string }): string =>
  `${chat.channelId} ${chat.address}`;

const uuidLength = 36;

/** A browser's own id of its message is unique only within its chat; a channel's external ids are for the whole channel. */
export const externalIdOf = (address: string, echoId: string): string => `${address}/${echoId.toLowerCase()}`;
export const echoIdOf = (externalId: string): string => externalId.slice(-uuidLength);

/** The place in a chat's history before which to go on: when a message could be seen first, and its id. */
export type Place = { at: Date; id: string };

export const placePattern = '^\\d{1,14}\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

export const writePlace = ({ at, id }: Place): string => `${at.getTime()}.${id}`;

export function readPlace(text: string): Place {
  const [ms, id = ''] = text.split('.');
  return { at: new Date(Number(ms)), id };
}
