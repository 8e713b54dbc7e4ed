import { type Email, readEmail } from '../src/access/auth/email.ts';

export function emailOf(typed: string): Email {
  const email = readEmail(typed);
  if (email === null) throw new Error(`${typed} is no address`);
  return email;
}
