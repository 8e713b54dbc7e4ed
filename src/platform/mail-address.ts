import { domainToASCII } from 'node:url';
import { smallAscii } from './ascii.ts';

/** Only characters that no mail program changes, and that cannot form a list of addresses. */
const localPart = /^[^\s@<>()[\]\\,;:"\p{C}]+$/u;
/** Letters of any language. A character with a meaning in URLs would not be read as part of the domain. */
const typedDomain = /^[\p{L}\p{N}\p{M}._\-。．｡]+$/u;
const domainName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/**
 * A mail address in its canonical form: ASCII letters are in lower case, and the domain is as in DNS. Null if the text is
 * none.
 */
export function mailAddressIn(typed: string): string | null {
  const at = typed.lastIndexOf('@');
  const [local, domain] = [typed.slice(0, at), typed.slice(at + 1)];
  if (at < 0 || !localPart.test(local) || !typedDomain.test(domain)) return null;
  const ascii = domainToASCII(domain).replace(/\.$/, '');
  return domainName.test(ascii) ? `${smallAscii(local)}@${ascii}` : null;
}

/** The form in which clients' addresses are stored and compared. A quoted local part has no canonical one. */
export const clientAddressOf = (typed: string): string => mailAddressIn(typed) ?? smallAscii(typed);
