import { smallAscii } from '../../../platform/ascii.ts';

/** The ids of our mails. Reports and bounces repeat them, so they identify the message. */

/** The local part of an address and its domain. */
const partsOf = (address: string): [local: string, domain: string] => {
  const at = address.lastIndexOf('@');
  return [address.slice(0, at), address.slice(at + 1)];
};

export const messageIdOf = (uuid: string, from: string): string => `<${uuid}@${partsOf(from)[1]}>`;

/** The envelope sender is unique for each message (VERP): bounces come back to it, in any format. */
export function envelopeSender(uuid: string, from: string): string {
  const [local, domain] = partsOf(from);
  return `${local}+${uuid.replaceAll('-', '')}@${domain}`;
}

const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** The uuid in our own Message-ID; null for a foreign one. */
export function uuidOfMessageId(text: string, from: string): string | null {
  const domain = smallAscii(partsOf(from)[1]);
  const ids = smallAscii(text).match(/<[^<>\s]+>/g) ?? [];
  const ours = ids.find((id) => id.endsWith(`@${domain}>`) && uuidPattern.test(id));
  return ours ? uuidOf(ours) : null;
}

/** The uuid in our own envelope sender; null for any other address. */
export function uuidOfSender(address: string, from: string): string | null {
  const [local, domain] = partsOf(smallAscii(from));
  const found = smallAscii(address);
  if (!found.startsWith(`${local}+`) || !found.endsWith(`@${domain}`)) return null;
  const hex = found.slice(local.length + 1, -domain.length - 1);
  if (!/^[0-9a-f]{32}$/.test(hex)) return null;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The first uuid of a text. */
export const uuidOf = (text: string): string | null => uuidPattern.exec(text)?.[0].toLowerCase() ?? null;
