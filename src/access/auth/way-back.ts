/** Pages that send people to sign in, and get them back afterwards. */
const pages = ['/integrations/oauth/', '/console/', '/chat-center/'];

const nowhere = 'https://nowhere.invalid';

/**
 * The address of the sign-in page, which leads back to `target` if that is one of our pages. `target` is what a
 * request asks for, which may be the address of any host.
 */
export const signInAddress = (base: string, target: string): string =>
  `${base}/sign-in/?next=${encodeURIComponent(wayBack(target) ?? '')}`;

/**
 * The path behind `base` that a person wanted before signing in. Null if it is not one of our pages. It is parsed
 * exactly as a browser would. A seeming path may be another host's address (`//`, `/\`).
 */
export function wayBack(next: string): string | null {
  if (!URL.canParse(next, nowhere)) return null;
  const { origin, pathname, search } = new URL(next, nowhere);
  return origin === nowhere && pages.some((page) => pathname.startsWith(page)) ? pathname + search : null;
}
