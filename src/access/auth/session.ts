import type { IncomingHttpHeaders } from 'node:http';
import { cookieValues } from '../../platform/cookie.ts';
import { sha256 } from '../../platform/secrets/secret.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A session ends after a week without use, which spares weekends, and after a month in any case. */
export const idleMs = 7 * dayMs;
export const longestMs = 30 * dayMs;

/** A use is recorded once an hour, not at every request. */
export const noteEveryMs = hourMs;

/** The prefix keeps neighbours of our host from planting a session that they know. */
const name = '__Host-patchbay-session';

/** The token that this browser has from us, signed in or not. Null without one. */
export function sessionToken({ cookie }: IncomingHttpHeaders): string | null {
  return cookieValues(cookie, name).find((value) => /^[\w-]{43}$/.test(value)) ?? null;
}

/** A `Set-Cookie` header. `Lax`, because partners link from their sites to the grant page. */
export const sessionCookie = (token: string): string =>
  `${name}=${token}; Path=/; Max-Age=${longestMs / 1000}; HttpOnly; Secure; SameSite=Lax`;

/** A `Set-Cookie` header that removes the cookie. */
export const noSessionCookie = `${name}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`;

/**
 * The token in every form of this browser. Other sites can make the browser send a form, but cannot know the token.
 */
export const formTokenOf = (token: string): string => sha256(`form ${token}`).toString('base64url');
