import {
  type CountryCode,
  getCountries,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';

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

/** The country of a number in E.164. For a range that no country claims, the first one of its code. Null for no number. */
export function countryOf(phone: string): Country | null {
  const number = parsePhoneNumberFromString(phone);
  return number ? (number.country ?? firstCountryOf(number.countryCallingCode)) : null;
}

/** The largest country with this calling code. */
const firstCountryOf = (code: string): Country | null =>
  Object.entries(metadata.country_calling_codes).find(([known]) => known === code)?.[1][0] ?? null;

/** Calling codes of several countries whose clocks differ. The three digits after the code tell them apart. */
const sharedCodes = ['1', '7'];

/**
 * Countries by the first digits of their numbers, with `+`. The longest prefix counts. Of other countries that share a
 * calling code, it knows the first one.
 */
export function countriesByPrefix(): Map<string, Country> {
  const prefixes = new Map<string, Country>();
  for (const [code, [first]] of Object.entries(metadata.country_calling_codes)) {
    if (first) prefixes.set(`+${code}`, first);
  }
  for (const code of sharedCodes) {
    for (let digits = 200; digits < 1_000; digits += 1) {
      const country = countryOf(`+${code}${digits}${anyDigits}`);
      if (country && country !== prefixes.get(`+${code}`)) prefixes.set(`+${code}${digits}`, country);
    }
  }
  return prefixes;
}

/** The rest of a number whose first digits tell its country. */
const anyDigits = '2345678';
