import type { Address, Email } from 'postal-mime';
import { smallAscii } from '../../../platform/ascii.ts';
import type { Settings } from './settings.ts';

export type Sender = { address: string; name: string };

/** RFC 5321, section 4.5.3.1. Nobody can be answered at a longer one. */
const longestAddress = 254;

/**
 * The client who wrote a mail. Mail servers can verify only From (DMARC), and anybody may write any Reply-To. It counts
 * only for web forms, which send from a technical address.
 */
export function senderOf({ replyTo = [], from }: Email, { form_senders = '' }: Settings): Sender | null {
  const sender = firstOf(from ? [from] : []);
  const isForm = sender !== null && addressesIn(form_senders).some((form) => isSame(form, sender.address));
  const asked = isForm ? firstOf(replyTo) : null;
  const found = asked ?? sender;
  return found && { address: found.address, name: nameIn(found.name) || nameIn(from?.name ?? '') };
}

/** A name that looks like an address could pass for that of another client. */
const nameIn = (name: string): string => (/[@\uFE6B\uFF20]/.test(name) ? '' : name);

export const isSame = (one: string, other: string): boolean => smallAscii(one) === smallAscii(other);

const firstOf = (addresses: Address[]): Sender | null =>
  addresses
    .flatMap((address): Sender[] => address.group ?? [address])
    .find(({ address }) => address.length <= longestAddress && /^[^\s@]+@[^\s@]+$/.test(address)) ?? null;

const addressesIn = (list: string): string[] => list.split(/[\s,]+/);
