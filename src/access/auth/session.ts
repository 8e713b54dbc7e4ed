import type { IncomingHttpHeaders } from 'node:http';
import { cookieValues } from '../../platform/cookie.ts';
import { sha256 } from '../../platform/secrets/secret.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A session ends when it was not used for a week, which a weekend is not, and after a month however it was used. */
export const idleMs = 7 * dayMs;
export const longestMs = 30 * dayMs;

/** A use is written down once an hour, and not at every request. */
export const noteEveryMs = hourMs;

/** The prefix keeps neighbours of our host from giving a browser a session that they know. */
const name = '__Host-patchbay-session';

/** The token that a browser has from us, signed in or not yet; null where it has none. */
export function sessionToken({ cookie }: IncomingHttpHeaders): string | null {
  return cookieValues(cookie, name).find((value) => /^[\w-]{43}$/.test(value)) ?? null;
}

/** A `Set-Cookie` header. `Lax`, since people follow links of other sites to us: partners send them to the grant page. */
export const sessionCookie = (token: string): string =>
  `${name}=${token}; Path=/; Max-Age=${longestMs / 1000}; HttpOnly; Secure; SameSite=Lax`;

/** A `Set-Cookie` header that takes it away. */
export const noSessionCookie = `${name}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`;

/** What every form of this browser carries. Other sites can make it send a form, but cannot know this. */
export const formTokenOf = (token: string): string => sha256(`form ${token}`).toString('base64url');
