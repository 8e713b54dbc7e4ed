import { Value } from 'typebox/value';
import type {
  Correspondent,
  InboundEvent,
  InboundFile,
  InboundMessage,
  InboundRequest,
  Verdict,
} from '../../contract/inbound.ts';
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

const empty = { text: null, url: null, payload: null };

/** A message with several files becomes as many messages. */
function messageEvents({ sender, recipient, message }: Created): InboundEvent[] {
  if (!isClient(sender)) return [];
  const { mid } = message;
  return contentsOf(message).map((content, place) => ({
    kind: 'message',
    chat: correspondent(sender, recipient),
    message: { externalId: place === 0 ? mid : `${mid}:${place}`, ...empty, ...content },
  }));
}

function pressEvents({ sender, recipient, callbackId, payload = null, timestamp }: Pressed): InboundEvent[] {
  if (!isClient(sender)) return [];
  const externalId = `press:${callbackId}:${timestamp}`;
  const message = { ...empty, externalId, type: 'button' as const, payload };
  return [{ kind: 'message', chat: correspondent(sender, recipient), message }];
}

/** A group also gets its own messages. */
const isClient = ({ user_id }: Created['sender']): boolean => !user_id.startsWith('group:');

const correspondent = ({ name }: Created['sender'], { chat_id }: Created['recipient']): Correspondent => ({
  externalId: chat_id,
  ...(name && { name }),
});

type Content = Partial<InboundMessage> & Pick<InboundMessage, 'type'>;

function contentsOf({ text, attachment, attachments }: Created['message']): Content[] {
  const found = (attachments ?? [attachment]).filter(isAttachment);
  const words = [text, ...found.map(wordsOf)].filter(Boolean).join('\n');
  const [first, ...others] = found.flatMap(fileOf);
  if (first) return [{ ...first, text: words || null }, ...others];
  return words ? [{ type: 'text', text: words }] : [];
}

function fileOf({ type, payload }: Attachment): Content[] {
  if (!payload?.url) return [];
  const { url, name } = payload;
  if (type === 'IMAGE' || type === 'STICKER') return [{ type: 'image', file: { url } }];
  if (type !== 'FILE' && type !== 'AUDIO') return [];
  const file: InboundFile = { url, ...(name && { name }) };
  return [{ type: 'document', file }];
}

/** A text for content without an equivalent type. The address of a video or of music is that of a page. */
function wordsOf({ type, payload }: Attachment): string {
  if (!payload) return '';
  const { url, name, title, phone, latitude, longitude } = payload;
  switch (type) {
    case 'SHARE':
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
