/** Pages that send people to sign in, and may get them back. */
const pages = ['/integrations/oauth/', '/console/', '/chat-center/'];

const nowhere = 'https://nowhere.invalid';

/** Where to sign in, and then to come back from. `target` is a path of this service with its query, as it was asked for. */
export const signInAddress = (base: string, target: string): string =>
  `${base}/sign-in/?next=${encodeURIComponent(target)}`;

/**
 * The path behind `base` that somebody wanted before signing in; null for anything that is not one of our pages. It is read
 * exactly as a browser would read it, since what looks like a path may be another host's address (`//`, `/\`).
 */
export function wayBack(next: string): string | null {
  if (!URL.canParse(next, nowhere)) return null;
  const { origin, pathname, search } = new URL(next, nowhere);
  return origin === nowhere && pages.some((page) => pathname.startsWith(page)) ? pathname + search : null;
}
