import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { clientAddressOf } from '../../../platform/mail-address.ts';
import type { InboundEvent, InboundMessage } from '../../contract/inbound.ts';
import { type Body, bodyOf } from './body.ts';
import { headerOf, reportOf } from './report.ts';
import { isSame, senderOf } from './sender.ts';
import type { Settings } from './settings.ts';

/** A raw mail. `fallbackId` replaces a missing Message-ID. */
export type Received = { source: Buffer; fallbackId: string };

/** The events of a mail. Automatic mails are ignored. */
export async function eventsOf(
  { source, fallbackId }: Received,
  settings: Settings,
): Promise<InboundEvent[]> {
  const mail = await PostalMime.parse(source, { rfc822Attachments: true }).catch(() => null);
  if (!mail) return [];
  const { from } = settings;
  const report = reportOf(mail, from);
  if (report) return report;
  const sender = senderOf(mail, settings);
  if (!sender || isAutomatic(mail) || isSame(sender.address, from)) return [];
  const chat = { externalId: clientAddressOf(sender.address), ...(sender.name && { name: sender.name }) };
  return messagesOf(mail, await bodyOf(mail), fallbackId).map((message) => ({
    kind: 'message',
    chat,
    message,
  }));
}

/** Source: RFC 3834, RFC 2076. An empty Return-Path marks a bounce. */
const isAutomatic = (mail: Email): boolean =>
  !/^(no\b.*)?$/i.test(headerOf(mail, 'auto-submitted').trim()) ||
  /^(bulk|junk|list)$/i.test(headerOf(mail, 'precedence').trim()) ||
  headerOf(mail, 'return-path').trim() === '<>';

/** Each is a message of its own, and a mail has room for a million empty ones. */
const mostFiles = 100;

/** The text first, then one message for each attachment. */
function messagesOf(mail: Email, body: Body, fallbackId: string): InboundMessage[] {
  const text = textOf(mail, body.text);
  const isBare = body.text.trim() === '';
  const words = isBare ? text : body.words;
  const own = isBare || body.own === '' ? text : ownOf(mail, body.own);
  const id = mail.messageId?.trim() || fallbackId;
  const subject = mail.subject?.trim() || null;
  const common = { url: null, payload: null, ...(subject && { subject }) };
  const files = mail.attachments.slice(0, mostFiles).map((attachment, index) => ({
    ...common,
    externalId: `${id}#${index + 1}`,
    type: attachment.mimeType.startsWith('image/') ? ('image' as const) : ('document' as const),
    text: null,
    file: fileOf(attachment),
  }));
  if (text === '' && files.length > 0) return files;
  const parts = { ...(words !== text && { words }), ...(own !== text && { own }) };
  return [{ ...common, externalId: id, type: 'text', text, ...parts }, ...files];
}

/** The subject of an answer is that of the mail before, also where the client's program does not name it. */
const ownOf = (mail: Email, own: string): string =>
  /^(re|aw|sv|antw|отв|ответ) ?:/iu.test(mail.subject?.trim() ?? '') ? own : textOf(mail, own);

/** The first mail of a thread includes its subject. Answers only repeat it. */
function textOf({ subject, inReplyTo }: Email, text: string): string {
  const parts = [inReplyTo ? '' : subject, text];
  return parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join('\n\n');
}

const fileOf = ({ content, filename }: Attachment) => ({
  bytes: typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content)),
  ...(filename && { name: filename }),
});
