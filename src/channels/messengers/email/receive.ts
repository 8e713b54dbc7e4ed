import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { smallAscii } from '../../../platform/ascii.ts';
import type { InboundEvent, InboundMessage } from '../../contract/inbound.ts';
import { headerOf, reportOf } from './report.ts';
import type { Settings } from './settings.ts';

/** A mail as it lies in the mailbox. `fallbackId` names one that has no Message-ID. */
export type Received = { source: Buffer; fallbackId: string };

/** What a mail tells us. What machines wrote by themselves is nobody's message. */
export async function eventsOf(
  { source, fallbackId }: Received,
  { from }: Settings,
): Promise<InboundEvent[]> {
  const mail = await PostalMime.parse(source, { rfc822Attachments: true }).catch(() => null);
  if (!mail) return [];
  const report = reportOf(mail, from);
  if (report) return report;
  const sender = senderOf(mail);
  if (!sender || isAutomatic(mail) || isSame(sender.address, from)) return [];
  const chat = { externalId: smallAscii(sender.address), ...(sender.name && { name: sender.name }) };
  const text = textOf(mail, mail.text ?? (await textOfHtml(mail.html ?? '')));
  return messagesOf(mail, text, fallbackId).map((message) => ({ kind: 'message', chat, message }));
}

/** Whom an answer goes to: forms on web sites write from an address of their own. */
function senderOf({ replyTo = [], from }: Email): { address: string; name: string } | null {
  const addresses = [...replyTo, ...(from ? [from] : [])].flatMap(mailboxesOf);
  const found = addresses.find(({ address }) => /^[^\s@]+@[^\s@]+$/.test(address));
  return found ? { address: found.address, name: found.name || (from?.name ?? '') } : null;
}

const mailboxesOf = (address: Address) => address.group ?? [address];

const isSame = (one: string, other: string): boolean => smallAscii(one) === smallAscii(other);

/** Sources: RFC 3834, RFC 2076; the empty sender is that of bounces. */
const isAutomatic = (mail: Email): boolean =>
  !/^(no\b.*)?$/i.test(headerOf(mail, 'auto-submitted').trim()) ||
  /^(bulk|junk|list)$/i.test(headerOf(mail, 'precedence').trim()) ||
  headerOf(mail, 'return-path').trim() === '<>';

/** The text first, then its files, one a message. */
function messagesOf(mail: Email, text: string, fallbackId: string): InboundMessage[] {
  const id = mail.messageId?.trim() || fallbackId;
  const subject = mail.subject?.trim() || null;
  const common = { url: null, payload: null, ...(subject && { subject }) };
  const files = mail.attachments.map((attachment, index) => ({
    ...common,
    externalId: `${id}#${index + 1}`,
    type: attachment.mimeType.startsWith('image/') ? ('image' as const) : ('document' as const),
    text: null,
    file: fileOf(attachment),
  }));
  if (text === '' && files.length > 0) return files;
  return [{ ...common, externalId: id, type: 'text', text }, ...files];
}

/** A mail that begins a conversation says what it is about; answers repeat it. */
function textOf({ subject, inReplyTo }: Email, text: string): string {
  const parts = [inReplyTo ? '' : subject, text.replace(/\r\n/g, '\n')];
  return parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join('\n\n');
}

/** The parser makes text of HTML in a mail that has text as well. */
async function textOfHtml(html: string): Promise<string> {
  const part = ['Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: base64', ''];
  const lines = ['Content-Type: multipart/mixed; boundary=-', '', '---', '', '---', ...part];
  const { text } = await PostalMime.parse(
    [...lines, Buffer.from(html).toString('base64'), '-----'].join('\r\n'),
  );
  return text ?? '';
}

const fileOf = ({ content, filename }: Attachment) => ({
  bytes: typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content)),
  ...(filename && { name: filename }),
});
