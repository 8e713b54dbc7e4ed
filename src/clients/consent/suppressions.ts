import { type Platform, platforms } from '../../channels/contract/platforms.ts';
import { smallAscii } from '../../platform/ascii.ts';
import { withoutApostrophe } from '../../platform/list-files/csv-line.ts';
import { clientAddressOf } from '../../platform/mail-address.ts';
import { normalizePhoneIn } from '../../platform/phone.ts';

/** An address that no mailing reaches. A phone number or an email has no platform, and counts on every one. */
export type Address = { address: string; platform: Platform | null };

export type Given = { address: string; platform: string };

/** Why a line is no address. The text is for people. */
export type Fault = { field: 'address' | 'platform'; reason: string };

const longest = 512;
const email = /^[^\s@,;]+@[^\s@,;.]+(?:\.[^\s@,;.]+)+$/;

/**
 * The address in the form in which clients have it, or the reason why it is none.
 * @param country The country whose national phone numbers are accepted; null for none.
 * @param addressOn The form of an address in the chats of a platform.
 */
export function addressOf(
  { address, platform }: Given,
  country: string | null,
  addressOn: (platform: Platform, address: string, country: string | null) => string,
): Address | Fault {
  const text = withoutApostrophe(address.trim());
  if (text === '') return { field: 'address', reason: 'The address is missing.' };
  if ([...text].length > longest) {
    return { field: 'address', reason: `The address is longer than ${longest} characters.` };
  }
  const wanted = smallAscii(platform.trim());
  if (wanted !== '') {
    const known = platforms.find((name) => smallAscii(name) === wanted);
    return known
      ? { address: addressOn(known, text, country), platform: known }
      : { field: 'platform', reason: 'There is no such platform.' };
  }
  if (email.test(text)) return { address: clientAddressOf(text), platform: null };
  const phone = normalizePhoneIn(country, text);
  if (phone !== null) return { address: phone, platform: null };
  return {
    field: 'address',
    reason:
      'This is neither a phone number with its country code nor an email. Any other address needs its platform.',
  };
}
