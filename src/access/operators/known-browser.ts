import type { IncomingHttpHeaders } from 'node:http';
import { cookieValues } from '../../platform/cookie.ts';
import { CannotOpen, type Vault } from '../../platform/secrets/vault.ts';
import type { Email } from '../auth/email.ts';

/**
 * A browser in which an account was signed in gets a cookie that only we can make. Strangers who keep guessing then
 * pause only themselves, and not the account's owner. The cookie opens nothing: its holder still needs the password.
 */
const name = '__Host-patchbay-known';
const purpose = 'known browser';
const livesSeconds = 365 * 24 * 3600;

/** The name of a browser that is known for the account. Null for any other. */
export function knownBrowser(vault: Vault, { cookie }: IncomingHttpHeaders, email: Email): string | null {
  return cookieValues(cookie, name).find((value) => accountOf(vault, value) === email) ?? null;
}

/** A `Set-Cookie` header. */
export const knownBrowserCookie = (vault: Vault, email: Email): string => {
  const value = vault.seal(email, purpose).toString('base64url');
  return `${name}=${value}; Path=/; Max-Age=${livesSeconds}; HttpOnly; Secure; SameSite=Lax`;
};

function accountOf(vault: Vault, value: string): string | null {
  const sealed = Buffer.from(value, 'base64url');
  // Another encoding would count as another browser's name.
  if (sealed.toString('base64url') !== value) return null;
  try {
    return vault.open(sealed, purpose);
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}
