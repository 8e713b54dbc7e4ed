import { createHmac } from 'node:crypto';
import type { Receipt } from '../../contract/capabilities.ts';
import type { InboundEvent, InboundRequest, Verdict } from '../../contract/inbound.ts';
import { type Content, isProved, messageOf, startOf } from '../../shared/inbound.ts';
import { jsonIn } from '../../shared/json.ts';
import {
  isLeft,
  isOpened,
  isReturned,
  isSaid,
  isTold,
  type Message,
  type Opened,
  type Said,
  type Told,
} from './event.ts';
import { labelOf } from './keyboard.ts';
import type { Settings } from './settings.ts';

/** Unknown events are accepted too: Viber repeats a refused event for an hour. */
export function receive(request: InboundRequest, { auth_token }: Settings): Verdict {
  const signature = signatureOf(request.body, auth_token);
  if (!isProved(request, 'x-viber-content-signature', signature)) return { accepted: false, status: 403 };
  const event = jsonIn(request.body);
  if (event === undefined) return { accepted: false, status: 400 };
  // Viber would send the client any other body as a greeting.
  return { accepted: true, events: eventsOf(event), answer: () => ({ body: '' }) };
}

const signatureOf = (body: Buffer, token: string): string =>
  createHmac('sha256', token).update(body).digest('hex');

function eventsOf(event: unknown): InboundEvent[] {
  if (isSaid(event)) return messageEvents(event);
  if (isTold(event)) return [receiptOf(event)];
  if (isOpened(event)) return [startEvent(event)];
  if (isReturned(event)) return [{ kind: 'returned', chat: { externalId: event.user.id } }];
  if (isLeft(event)) return [{ kind: 'stopped', chat: { externalId: event.user_id } }];
  return [];
}

function messageEvents({ chat_id, message_token, sender: { id, name }, message }: Said): InboundEvent[] {
  const content = contentOf(message);
  if (chat_id !== undefined || !content) return [];
  return [messageOf({ externalId: id, ...(name && { name }) }, String(message_token), content)];
}

/** Viber takes an answer to this client. Any other client has to write first. */
const startEvent = ({ message_token, context, user: { id, name } }: Opened): InboundEvent =>
  startOf({ externalId: id, ...(name && { name }) }, String(message_token), context);

function contentOf(message: Message): Content | null {
  const { type, text, media: url, file_name: name, tracking_data = '' } = message;
  if (type === 'text') {
    const label = text ? labelOf(text, tracking_data) : undefined;
    return text && label !== undefined ? { type: 'button', text: label, payload: text } : wordsOf(text);
  }
  if (type === 'url') return wordsOf(...new Set([text, url]));
  if (url) {
    const isPicture = type === 'picture' || type === 'sticker';
    const file = { url, ...(name && { name }) };
    return { type: isPicture ? 'image' : 'document', text: text || null, file };
  }
  const { location, contact, sticker_id } = message;
  return wordsOf(
    text,
    location?.address,
    location && `${location.lat}, ${location.lon}`,
    contact && [contact.name, contact.phone_number].filter(Boolean).join(' '),
    sticker_id !== undefined ? `Sticker ${sticker_id}` : undefined,
  );
}

function wordsOf(...lines: (string | undefined)[]): Content | null {
  const text = lines.filter(Boolean).join('\n');
  return text ? { type: 'text', text } : null;
}

const receipts: { readonly [event in Told['event']]: Receipt } = {
  delivered: 'delivered',
  seen: 'read',
  failed: 'undelivered',
};

/** Viber sends the same events for clients' messages, but no message of ours has such a token. */
const receiptOf = ({ event, message_token, desc = '' }: Told): InboundEvent => ({
  kind: 'receipt',
  message: { providerId: String(message_token) },
  state: receipts[event],
  detail: desc,
});
