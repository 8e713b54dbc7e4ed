import type { IncomingHttpHeaders } from 'node:http';
import { cookieValues } from '../../platform/cookie.ts';
import { sessionLivesMs } from './rules.ts';

/**
 * A browser is known by a cookie. It is the same one for every link that the browser opens, so that two frames on one page
 * do not throw each other out. `Partitioned` makes it work in a frame of another site where cookies of third parties are
 * blocked; the prefix keeps neighbours of our host from giving a browser a cookie that they know.
 */
const name = '__Host-patchbay-browser';

/** The token that a browser has from us; null where it has none. */
export function browserToken({ cookie }: IncomingHttpHeaders): string | null {
  return cookieValues(cookie, name).find((value) => /^[\w-]{43}$/.test(value)) ?? null;
}

/** A `Set-Cookie` header. */
export const browserCookie = (token: string): string =>
  `${name}=${token}; Path=/; Max-Age=${sessionLivesMs / 1000}; HttpOnly; Secure; SameSite=None; Partitioned`;
