import { Value } from 'typebox/value';
import type { Receipt } from '../../contract/capabilities.ts';
import type { InboundEvent, InboundRequest, ReceiptSubject, Verdict } from '../../contract/inbound.ts';
import { isSigned } from '../graph.ts';
import { type Content, contentsOf, messageOf, messagesOf, startOf } from '../inbound.ts';
import { jsonIn } from '../json.ts';
import {
  type Attachment,
  Delivery,
  type Event,
  eventsIn,
  isAttachment,
  Message,
  Postback,
  Read,
  Referral,
} from './notification.ts';

type Receiver = { appSecret: string; accountId: string | undefined };

/** Unknown notifications are accepted too: Meta repeats a refused one for days. */
export function receiveBy({ appSecret, accountId }: Receiver, request: InboundRequest): Verdict {
  if (!isSigned(request, appSecret)) return { accepted: false, status: 403 };
  const body = jsonIn(request.body);
  if (body === undefined) return { accepted: false, status: 400 };
  return { accepted: true, events: eventsIn(body, accountId).flatMap(eventsOf) };
}

function eventsOf(event: Event): InboundEvent[] {
  const { sender, timestamp, message, postback, referral, delivery, read } = event;
  const chat = String(sender.id);
  if (Value.Check(Message, message)) return messageEvents(chat, message);
  if (Value.Check(Postback, postback)) return [pressOf(chat, postback, timestamp)];
  if (Value.Check(Referral, referral)) {
    return [startOf({ externalId: chat }, `start:${chat}:${timestamp ?? ''}`, referral.ref)];
  }
  if (Value.Check(Delivery, delivery)) {
    const { mids = [], watermark } = delivery;
    const subjects = mids.map((providerId) => ({ providerId }));
    return [...subjects, upTo(chat, watermark)].map((subject) => receiptOf(subject, 'delivered'));
  }
  if (!Value.Check(Read, read)) return [];
  if (read.mid !== undefined) return [receiptOf({ providerId: read.mid }, 'read')];
  return read.watermark === undefined ? [] : [receiptOf(upTo(chat, read.watermark), 'read')];
}

const upTo = (chat: string, watermark: string | number): ReceiptSubject => ({
  chat,
  until: new Date(Number(watermark)),
});

const receiptOf = (message: ReceiptSubject, state: Receipt): InboundEvent => ({
  kind: 'receipt',
  message,
  state,
  detail: '',
});

function pressOf(
  chat: string,
  { mid, title, payload, referral }: Postback,
  timestamp: string | number = '',
): InboundEvent {
  const content = {
    type: 'button' as const,
    text: title ?? null,
    payload: payload ?? null,
    ...refIn(referral),
  };
  return messageOf({ externalId: chat }, mid ?? `press:${chat}:${timestamp}`, content);
}

const refIn = (referral: unknown): { ref?: string } =>
  Value.Check(Referral, referral) ? { ref: referral.ref } : {};

/** An echo is the account's own message. */
function messageEvents(chat: string, message: Message): InboundEvent[] {
  if (message.is_echo || message.is_deleted) return [];
  const [first, ...others] = saidIn(message);
  if (!first) return [];
  const contents = [{ ...first, ...refIn(message.referral) }, ...others];
  return messagesOf({ externalId: chat }, message.mid, contents);
}

function saidIn({ text, quick_reply, attachments = [] }: Message): Content[] {
  if (quick_reply) return [{ type: 'button', text: text ?? null, payload: quick_reply.payload ?? null }];
  const found = once(attachments.filter(isAttachment));
  // The link in a text is repeated as a `fallback`.
  const told = found.filter(({ type }) => !text || type !== 'fallback');
  return contentsOf([text, ...told.map(wordsOf)], found.flatMap(fileOf));
}

/** For a while, Meta has sent the picture of a sticker beside the sticker too. */
const once = (attachments: readonly Attachment[]): Attachment[] =>
  attachments.filter((one) => !attachments.some((other) => isStickerOf(one, other)));

const isStickerOf = ({ type, payload }: Attachment, picture: Attachment): boolean =>
  type === 'sticker' &&
  picture.type === 'image' &&
  payload?.sticker_id != null &&
  payload.sticker_id === picture.payload?.sticker_id;

const fileTypes: { readonly [type: string]: 'image' | 'document' } = {
  image: 'image',
  sticker: 'image',
  audio: 'document',
  video: 'document',
  file: 'document',
  story_mention: 'document',
};

const fileTypeOf = (type: string) => (Object.hasOwn(fileTypes, type) ? fileTypes[type] : undefined);

function fileOf({ type, payload }: Attachment): Content[] {
  const fileType = fileTypeOf(type);
  return fileType && payload?.url ? [{ type: fileType, file: { url: payload.url } }] : [];
}

/** A place, or any other attachment without a file: a post, a shared link. */
function wordsOf({ type, title, url, payload }: Attachment): string | null {
  if (type === 'like_heart') return '❤';
  if (type === 'sticker' && !payload?.url) return 'Sticker';
  if (fileTypeOf(type)) return null;
  const { coordinates } = payload ?? {};
  const place = coordinates && `${coordinates.lat}, ${coordinates.long}`;
  const lines = [title ?? payload?.title, place ?? payload?.url ?? url];
  return lines.filter(Boolean).join('\n') || null;
}
