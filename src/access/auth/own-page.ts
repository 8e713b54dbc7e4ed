import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether one of our pages has sent the request, as far as the browser says. `Sec-Fetch-Site` decides if it is
 * present: our pages send no referrer, and browsers then send `Origin: null`. A request with neither header comes
 * from no browser, or from an old one. `SameSite` and the forms' tokens stop those.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin === undefined || headers.origin === new URL(publicUrl).origin;
}
