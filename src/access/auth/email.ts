import { domainToASCII } from 'node:url';
import { smallAscii } from '../../platform/ascii.ts';

declare const canonical: unique symbol;

/**
 * An address in the one form in which it is compared, stored and mailed to: ASCII letters small, the domain as DNS spells
 * it. Only `readEmail` makes one. What else looks alike is another address, and mail for it goes elsewhere.
 */
export type Email = string & { [canonical]: true };

const longest = 254;

/** Only what no mail program would change, and no list of addresses could be made of. */
const localPart = /^[^\s@<>()[\]\\,;:"\p{C}]+$/u;
/** Letters of any language. What a URL gives a meaning to would be read as no part of the domain. */
const typedDomain = /^[\p{L}\p{N}\p{M}._\-。．｡]+$/u;
const domainName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/** Null for what is no address. Whether it exists, the mail server knows. */
export function readEmail(typed: string): Email | null {
  const email = fold(typed);
  return email !== null && isCanonical(email) ? email : null;
}

export const notAnEmail = 'Enter a valid email address.';

const isCanonical = (text: string): text is Email => text.length <= longest && fold(text) === text;

function fold(typed: string): string | null {
  const at = typed.lastIndexOf('@');
  const [local, domain] = [typed.slice(0, at), typed.slice(at + 1)];
  if (at < 0 || !localPart.test(local) || !typedDomain.test(domain)) return null;
  const ascii = domainToASCII(domain).replace(/\.$/, '');
  return domainName.test(ascii) ? `${smallAscii(local)}@${ascii}` : null;
}

/** What someone is called until they say otherwise. */
export const nameIn = (email: string): string => email.slice(0, email.lastIndexOf('@'));
