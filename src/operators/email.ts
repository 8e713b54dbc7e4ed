import { messages } from '../lib/problem.ts';

const longest = 254;

/** What is wrong with an address; null when nothing is. Only what none can be without: whether it exists, the mail server knows. */
export function complaintAboutEmail(email: string): string | null {
  if (email.length > longest) return messages.maxLength(longest);
  return /^[^\s@]+@[^\s@]+$/.test(email) ? null : 'Enter a valid email address.';
}

/** What someone is called until they say otherwise. */
export const nameIn = (email: string): string => email.slice(0, email.lastIndexOf('@'));
