import { mailAddressIn } from '../../platform/mail-address.ts';

declare const canonical: unique symbol;

/**
 * An address in its canonical form, which is compared, stored and used for mail. ASCII letters are in lower case, and
 * the domain is as in DNS. Only `readEmail` makes one. Any other similar text is another address, whose mail goes
 * elsewhere.
 */
export type Email = string & { [canonical]: true };

const longest = 254;

/** Null for an invalid address. Only the mail server knows whether an address exists. */
export function readEmail(typed: string): Email | null {
  const email = mailAddressIn(typed);
  return email !== null && isCanonical(email) ? email : null;
}

export const notAnEmail = 'Enter a valid email address.';

const isCanonical = (text: string): text is Email => text.length <= longest && mailAddressIn(text) === text;

/** The initial name of a person. */
export const nameIn = (email: string): string => email.slice(0, email.lastIndexOf('@'));
