import type { Attachment, Email } from 'postal-mime';
import type { InboundEvent } from '../../contract/inbound.ts';
import { readableWords } from '../../shared/answer.ts';
import { uuidOf, uuidOfMessageId, uuidOfSender } from './names.ts';

/** The events of a delivery report or a read receipt; null for other mails. Source: RFC 3464, RFC 8098. */
export function reportOf(mail: Email, from: string): InboundEvent[] | null {
  const status = partOf(mail, 'message/delivery-status');
  if (status) return deliveryEvents(mail, contentOf(status), from);
  const disposition = partOf(mail, 'message/disposition-notification');
  if (disposition) return dispositionEvents(mail, contentOf(disposition), from);
  return plainBounceEvents(mail, from);
}

const partOf = (mail: Email, type: string): Attachment | undefined =>
  mail.attachments.find(({ mimeType }) => mimeType === type);

const contentOf = ({ content }: Attachment): string =>
  typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString();

/** Only final actions count: `delayed`, `relayed` and `expanded` change nothing. */
function deliveryEvents(mail: Email, status: string, from: string): InboundEvent[] {
  const uuid = uuidOf(fieldOf(status, 'Original-Envelope-Id')) ?? subjectOf(mail, from);
  if (!uuid) return [];
  switch (fieldOf(status, 'Action').toLowerCase()) {
    case 'delivered':
      return [{ kind: 'receipt', message: { uuid }, state: 'delivered', detail: '' }];
    case 'failed': {
      const diagnosis = fieldOf(status, 'Diagnostic-Code').replace(/^\w+;\s*/, '');
      return [failure(uuid, diagnosis || `The mail was returned (${fieldOf(status, 'Status')}).`)];
    }
    default:
      return [];
  }
}

function dispositionEvents(mail: Email, disposition: string, from: string): InboundEvent[] {
  const uuid = uuidOfMessageId(fieldOf(disposition, 'Original-Message-ID'), from) ?? subjectOf(mail, from);
  const isRead = /;\s*displayed\b/i.test(fieldOf(disposition, 'Disposition'));
  return uuid && isRead ? [{ kind: 'receipt', message: { uuid }, state: 'read', detail: '' }] : [];
}

/** Exim and qmail can return a mail without a machine-readable report. */
function plainBounceEvents(mail: Email, from: string): InboundEvent[] | null {
  const uuid = recipientsOf(mail).flatMap((address) => uuidOfSender(address, from) ?? [])[0];
  const isReturned =
    headerOf(mail, 'x-failed-recipients') !== '' || mail.subject?.trim().toLowerCase() === 'failure notice';
  return uuid && isReturned ? [failure(uuid, mail.text?.trim() || 'The mail was returned.')] : null;
}

const failure = (uuid: string, detail: string): InboundEvent => ({
  kind: 'receipt',
  message: { uuid },
  state: 'undelivered',
  detail: readableWords(detail, []),
});

/** The message of a report, found by the report's recipient address or by the returned headers. */
function subjectOf(mail: Email, from: string): string | null {
  const byAddress = recipientsOf(mail).map((address) => uuidOfSender(address, from));
  const byReturned = mail.attachments
    .filter(({ mimeType }) => mimeType === 'message/rfc822' || mimeType === 'text/rfc822-headers')
    .map((part) => uuidOfMessageId(fieldOf(contentOf(part), 'Message-ID'), from));
  return [...byAddress, ...byReturned].find((uuid) => uuid !== null) ?? null;
}

const recipientsOf = (mail: Email): string[] =>
  mail.headers
    .filter(({ key }) => ['to', 'delivered-to', 'x-original-to', 'envelope-to'].includes(key))
    .flatMap(({ value }) => value.split(/[\s<>,;"]+/).filter((word) => word.includes('@')));

export const headerOf = ({ headers }: Email, name: string): string =>
  headers.find(({ key }) => key === name)?.value ?? '';

/** The value of a header field, unfolded. */
function fieldOf(text: string, name: string): string {
  const unfolded = text.replace(/\r?\n[ \t]+/g, ' ');
  return new RegExp(`^${name}:(.*)$`, 'im').exec(unfolded)?.[1]?.trim() ?? '';
}
