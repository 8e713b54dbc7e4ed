import type { IncomingHttpHeaders } from 'node:http';
import { cookieValues } from '../../platform/cookie.ts';
import { sessionLivesMs } from './rules.ts';

/**
 * A cookie identifies a browser. All links that the browser opens share it, so that two frames on one page do not
 * sign each other out. `Partitioned` makes it work in a frame of another site if third-party cookies are blocked. The
 * prefix keeps sibling hosts from setting a cookie that they know.
 */
const name = '__Host-patchbay-browser';

/** The token that we gave a browser. Null if it has none. */
export function browserToken({ cookie }: IncomingHttpHeaders): string | null {
  return cookieValues(cookie, name).find((value) => /^[\w-]{43}$/.test(value)) ?? null;
}

/** A `Set-Cookie` header. */
export const browserCookie = (token: string): string =>
  `${name}=${token}; Path=/; Max-Age=${sessionLivesMs / 1000}; HttpOnly; Secure; SameSite=None; Partitioned`;
