import { Value } from 'typebox/value';
import type {
  Correspondent,
  InboundEvent,
  InboundFile,
  InboundRequest,
  Verdict,
} from '../../contract/inbound.ts';
import { type Content, contentsOf, messageOf, messagesOf } from '../../shared/inbound.ts';
import { jsonIn } from '../../shared/json.ts';
import { type Attachment, Created, isAttachment, Pressed } from './event.ts';

/**
 * Odnoklassniki signs nothing: the address is secret. Unknown events are accepted, because refused ones are repeated.
 */
export function receive({ body }: InboundRequest): Verdict {
  const event = jsonIn(body);
  if (event === undefined) return { accepted: false, status: 400 };
  return { accepted: true, events: eventsOf(event) };
}

function eventsOf(event: unknown): InboundEvent[] {
  if (Value.Check(Created, event)) return messageEvents(event);
  if (Value.Check(Pressed, event)) return pressEvents(event);
  return [];
}

function messageEvents({ sender, recipient, message }: Created): InboundEvent[] {
  if (!isClient(sender)) return [];
  return messagesOf(correspondent(sender, recipient), message.mid, saidIn(message));
}

function pressEvents({ sender, recipient, callbackId, payload = null, timestamp }: Pressed): InboundEvent[] {
  if (!isClient(sender)) return [];
  const externalId = `press:${callbackId}:${timestamp}`;
  return [messageOf(correspondent(sender, recipient), externalId, { type: 'button', payload })];
}

/** A group also gets its own messages. */
const isClient = ({ user_id }: Created['sender']): boolean => !user_id.startsWith('group:');

const correspondent = ({ name }: Created['sender'], { chat_id }: Created['recipient']): Correspondent => ({
  externalId: chat_id,
  ...(name && { name }),
});

function saidIn({ text, attachment, attachments }: Created['message']): Content[] {
  const found = (attachments ?? [attachment]).filter(isAttachment);
  return contentsOf([text, ...found.map((one) => wordsOf(one, text ?? ''))], found.flatMap(fileOf));
}

function fileOf({ type, payload }: Attachment): Content[] {
  if (!payload?.url) return [];
  const { url, name } = payload;
  if (type === 'IMAGE' || type === 'STICKER') return [{ type: 'image', file: { url } }];
  if (type !== 'FILE' && type !== 'AUDIO') return [];
  const file: InboundFile = { url, ...(name && { name }) };
  return [{ type: 'document', file }];
}

/**
 * A text for content without an equivalent type. The address of a video or of music is that of a page. An address in
 * the message's own text is repeated as a share.
 */
function wordsOf({ type, payload }: Attachment, text: string): string {
  if (!payload) return '';
  const { url, name, title, phone, latitude, longitude } = payload;
  switch (type) {
    case 'SHARE':
      return url && text.includes(url) ? '' : [title, url].filter(Boolean).join(' ');
    case 'VIDEO':
    case 'MUSIC':
      return [title, url].filter(Boolean).join(' ');
    case 'LOCATION':
      return [latitude, longitude].filter((part) => part != null).join(', ');
    case 'CONTACT':
      return [name, phone].filter(Boolean).join(' ');
    default:
      return '';
  }
}
