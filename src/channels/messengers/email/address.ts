import { smallAscii } from '../../../platform/ascii.ts';
import { mailAddressIn } from '../../../platform/mail-address.ts';

/** The form in which a client's address is stored. A quoted local part has no canonical one. */
export const addressOf = (typed: string): string => mailAddressIn(typed) ?? smallAscii(typed);
