import {
  type CountryCode,
  getCountries,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

/** Two letters, as ISO 3166 names countries. */
export type Country = CountryCode;

export const countries: readonly Country[] = getCountries();

const plausible = /^\+?[\d\s()\p{Pd}]{2,40}$/u;

/**
 * A phone number in E.164, or null where the text is none. Spaces, hyphens and brackets are dropped; no digit is ever
 * added, dropped or replaced. With its `+` a number of the right length counts even in a range that is not yet assigned:
 * whether anybody answers there is the provider's to say. Without it the digits must be a number that there is.
 */
export function normalizePhone(text: string): string | null {
  const digits = digitsIn(text);
  if (digits === null) return null;
  const number = parsePhoneNumberFromString(`+${digits}`);
  // The library knows national prefixes, and takes away what it takes for one.
  if (number?.number !== `+${digits}`) return null;
  const counts = text.trim().startsWith('+') ? number.isPossible() : number.isValid();
  return counts ? number.number : null;
}

/** The same for those who write as people in this country do, who leave its code away; null for none. */
export function normalizePhoneIn(country: string | null, text: string): string | null {
  if (country === null || !isSupportedCountry(country) || text.trim().startsWith('+')) {
    return normalizePhone(text);
  }
  const digits = digitsIn(text);
  const number = digits === null ? undefined : parsePhoneNumberFromString(digits, country);
  return number?.isValid() && number.country === country ? number.number : normalizePhone(text);
}

const digitsIn = (text: string): string | null =>
  plausible.test(text.trim()) ? text.replace(/\D/g, '') : null;
