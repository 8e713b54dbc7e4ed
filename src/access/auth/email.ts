import { domainToASCII } from 'node:url';
import { smallAscii } from '../../platform/ascii.ts';

declare const canonical: unique symbol;

/**
 * An address in its canonical form, which is compared, stored and used for mail. ASCII letters are in lower case, and
 * the domain is as in DNS. Only `readEmail` makes one. Any other similar text is another address, whose mail goes
 * elsewhere.
 */
export type Email = string & { [canonical]: true };

const longest = 254;

/** Only characters that no mail program changes, and that cannot form a list of addresses. */
const localPart = /^[^\s@<>()[\]\\,;:"\p{C}]+$/u;
/** Letters of any language. A character with a meaning in URLs would not be read as part of the domain. */
const typedDomain = /^[\p{L}\p{N}\p{M}._\-。．｡]+$/u;
const domainName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/** Null for an invalid address. Only the mail server knows whether an address exists. */
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

/** The initial name of a person. */
export const nameIn = (email: string): string => email.slice(0, email.lastIndexOf('@'));
