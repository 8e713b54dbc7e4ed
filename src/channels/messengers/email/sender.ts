import type { Address, Email } from 'postal-mime';
import { clientAddressOf } from '../../../platform/mail-address.ts';
import { mailboxesIn } from './mailboxes.ts';
import type { Settings } from './settings.ts';

export type Sender = { address: string; name: string };

/**
 * The client who wrote a mail. Mail servers can verify only From (DMARC), and anybody may write any Reply-To. It counts
 * only for web forms, which send from a technical address.
 */
export function senderOf(mail: Email, { form_senders = '' }: Settings): Sender | null {
  const from = mailboxesOf(mail, 'from');
  const [sender] = from;
  if (sender === undefined) return null;
  const isForm = from.length === 1 && addressesIn(form_senders).some((form) => isSame(form, sender));
  const [asked] = isForm ? mailboxesOf(mail, 'reply-to') : [];
  const { replyTo = [] } = mail;
  if (asked !== undefined)
    return { address: asked, name: nameOf(asked, replyTo) || nameOf(sender, named(mail)) };
  return { address: sender, name: nameOf(sender, named(mail)) };
}

const named = ({ from }: Email): Address[] => (from ? [from] : []);

/** None where the header stands twice: servers and people would read different ones. */
function mailboxesOf({ headerLines }: Email, name: string): string[] {
  const lines = headerLines.filter(({ key }) => key === name);
  const [line] = lines;
  return lines.length === 1 && line ? mailboxesIn(line.line.slice(line.line.indexOf(':') + 1)) : [];
}

/** The name beside this address. One that looks like an address could pass for that of another client. */
function nameOf(address: string, addresses: Address[]): string {
  const found = addresses
    .flatMap((one): Sender[] => one.group ?? [one])
    .find((one) => isSame(one.address, address));
  return found && !/[@\uFE6B\uFF20]/.test(found.name) ? found.name : '';
}

export const isSame = (one: string, other: string): boolean =>
  clientAddressOf(one) === clientAddressOf(other);

const addressesIn = (list: string): string[] => list.split(/[\s,]+/);
