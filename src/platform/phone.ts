import {
  type CountryCode,
  getCountries,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

/** Two letters, as in ISO 3166. */
export type Country = CountryCode;

export const countries: readonly Country[] = getCountries();

const plausible = /^\+?[\d\s()\p{Pd}]{2,40}$/u;

/**
 * A phone number in E.164, or null if the text is none. Spaces, hyphens and brackets are dropped. No digit is ever
 * added, dropped or replaced. With its `+` a number of the right length counts, even in an unassigned range: only the
 * provider knows whether it exists. Without `+` the digits must be a valid number.
 */
export function normalizePhone(text: string): string | null {
  const digits = digitsIn(text);
  if (digits === null) return null;
  const number = parsePhoneNumberFromString(`+${digits}`);
  // The library knows national prefixes, and removes digits that look like one.
  if (number?.number !== `+${digits}`) return null;
  const counts = text.trim().startsWith('+') ? number.isPossible() : number.isValid();
  return counts ? number.number : null;
}

/** The same for national numbers of this country, written without its code. Null if the text is none. */
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
