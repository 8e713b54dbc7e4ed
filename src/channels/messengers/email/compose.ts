import MailComposer from 'nodemailer/lib/mail-composer';
import { piecesOf } from '../../../platform/links.ts';
import type { Answered, Button, OutgoingMessage } from '../../contract/adapter.ts';
import type { MessageFile } from '../../shared/file.ts';
import { messageIdOf } from './names.ts';
import type { Settings } from './settings.ts';

/** The source of the mail, with a text and an HTML part. */
export function compose(
  message: OutgoingMessage,
  { from, from_name = '' }: Settings,
  now: Date,
  attachment: MessageFile | null,
): Promise<Buffer> {
  const { uuid, buttons, chat } = message;
  const answers = answeredBy(message);
  const text = message.text ?? '';
  const mail = new MailComposer({
    from: { name: from_name, address: from },
    // A bare string would be parsed as a list of addresses.
    to: { name: '', address: chat.externalId },
    subject: subjectOf(message.text, answers, attachment) || from_name || from,
    messageId: messageIdOf(uuid, from),
    date: now,
    ...threadOf(answers?.externalId),
    text: [text, ...buttons.map(lineOf)].filter(Boolean).join('\n'),
    html: `<p>${htmlOf(text)}</p>${buttons.map((button) => `\n<p>${linkOf(button)}</p>`).join('')}`,
    attachments: attachment
      ? [{ filename: attachment.name, contentType: attachment.type, content: attachment.bytes }]
      : [],
    headers: { 'Disposition-Notification-To': from, ...madeBy(message, answers), ...unsubscribing(message) },
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return mail.compile().build();
}

/** A mailing answers nothing, whatever the client has written before. */
const answeredBy = ({ answers, unsubscribeUrl }: OutgoingMessage): Answered | undefined =>
  unsubscribeUrl ? undefined : answers;

/** The id of an attachment begins with the Message-ID of its mail. */
function threadOf(answered = ''): { inReplyTo?: string; references?: string } {
  const [messageId] = /^<[^<>\s]+>/.exec(answered) ?? [];
  return messageId ? { inReplyTo: messageId, references: messageId } : {};
}

/** No program may answer it: two that do would never end. Source: RFC 3834, section 5. */
const madeBy = ({ byPerson }: OutgoingMessage, answers: Answered | undefined): Record<string, string> =>
  byPerson ? {} : { 'Auto-Submitted': answers ? 'auto-replied' : 'auto-generated' };

/** Source: RFC 8058. */
const unsubscribing = ({ unsubscribeUrl }: OutgoingMessage): Record<string, string> =>
  unsubscribeUrl
    ? { 'List-Unsubscribe': `<${unsubscribeUrl()}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : {};

const longestSubject = 78;

/** The subject of the answered mail, or else the first line of the text without links. The body keeps that line. */
function subjectOf(
  text: string | null,
  answers: Answered | undefined,
  attachment: MessageFile | null,
): string {
  if (answers?.subject)
    return /^(re|aw|отв):/i.test(answers.subject) ? answers.subject : `Re: ${answers.subject}`;
  const line = wordsOf(text?.trim().split(/\r?\n/)[0] ?? '') || (attachment?.name ?? '');
  const characters = Array.from(line);
  return characters.length > longestSubject ? `${characters.slice(0, longestSubject - 1).join('')}…` : line;
}

const wordsOf = (line: string): string =>
  piecesOf(line)
    .map((piece) => (piece.kind === 'link' ? '' : piece.text))
    .join('')
    .trim();

const lineOf = ({ text, url }: Button): string => (url ? `${text}: ${url}` : text);

const linkOf = ({ text, url }: Button): string =>
  url ? `<a href="${escaped(url)}">${escaped(text)}</a>` : escaped(text);

/** Links are found in the text itself: its escaped form has other ends. */
const htmlOf = (text: string): string =>
  piecesOf(text)
    .map((piece) =>
      piece.kind === 'link' ? linkOf({ text: piece.text, url: piece.text }) : escaped(piece.text),
    )
    .join('')
    .replace(/\r?\n/g, '<br>\n');

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
