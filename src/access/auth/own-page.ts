import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page of ours has sent the request, as far as the browser says. `Sec-Fetch-Site` counts where there is one: our
 * pages give no referrer, and browsers then send `Origin: null`. What says nothing is no browser, or an old one, and is
 * held back by `SameSite` and by forms' tokens.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin === undefined || headers.origin === new URL(publicUrl).origin;
}
