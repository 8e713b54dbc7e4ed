import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

const PLAUSIBLE = /^\+?[\d\s().-]{2,40}$/;

/**
 * A phone number in E.164, or null where the text is none. Spaces, dashes, dots and brackets are dropped;
 * the country code must be there, its `+` need not.
 * A number of the right length counts even in a range that is not yet assigned: whether anybody answers
 * there is the provider's to say, and its knowledge is newer than ours.
 */
export function normalizePhone(text: string): string | null {
  const trimmed = text.trim();
  if (!PLAUSIBLE.test(trimmed)) return null;
  const number = parsePhoneNumberFromString(`+${trimmed.replace(/\D/g, '')}`);
  return number?.isPossible() ? number.number : null;
}
