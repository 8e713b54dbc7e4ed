import type { Receipt } from '../../contract/capabilities.ts';
import type { InboundEvent, InboundRequest, Verdict } from '../../contract/inbound.ts';
import { handshake, isSigned } from '../../shared/graph.ts';
import { type Content, messageOf } from '../../shared/inbound.ts';
import { jsonIn } from '../../shared/json.ts';
import { correspondentOf, movesIn } from './correspondent.ts';
import {
  type Change,
  type Contact,
  changesIn,
  isMessage,
  isStatus,
  type Message,
  type Order,
  type OrderLine,
  type Status,
} from './notification.ts';
import type { Settings } from './settings.ts';

export const verify = (request: InboundRequest, { verify_token }: Settings): Verdict =>
  handshake(request, verify_token);

/** Unknown notifications are accepted too: Meta repeats a refused one for days. */
export function receive(request: InboundRequest, settings: Settings): Verdict {
  if (!isSigned(request, settings.app_secret)) return { accepted: false, status: 403 };
  const body = jsonIn(request.body);
  if (body === undefined) return { accepted: false, status: 400 };
  return { accepted: true, events: changesIn(body).flatMap((change) => eventsOf(change, settings)) };
}

const templateFields = ['message_template_status_update', 'message_template_components_update'];

function eventsOf({ field, value }: Change, { phone_number_id }: Settings): InboundEvent[] {
  if (templateFields.includes(field)) return [{ kind: 'templates_changed' }];
  // An account has several numbers, each with its own channel.
  if (field !== 'messages' || value.metadata?.phone_number_id !== phone_number_id) return [];
  const { contacts = [], messages = [], statuses = [] } = value;
  return [
    ...messages.filter(isMessage).flatMap((message) => messageEvents(message, contacts)),
    ...statuses.filter(isStatus).flatMap(receiptEvents),
  ];
}

/** Only a conversation with one person is a client's. */
function messageEvents(message: Message, contacts: readonly Contact[]): InboundEvent[] {
  if (message.group_id !== undefined) return [];
  const chat = correspondentOf(message, contacts);
  const moves = movesIn(message, chat);
  if (moves.length > 0) return moves;
  const content = contentOf(message);
  if (!chat || !content) return [];
  const ref = message.referral?.source_id;
  return [messageOf(chat, message.id, { ...content, ...(ref && { ref }) })];
}

/** Null for notifications that are no message, such as a reaction. */
function contentOf(message: Message): Content | null {
  const { text, image, sticker, document, audio, video } = message;
  if (text) return { type: 'text', text: text.body };
  const picture = image ?? sticker;
  if (picture) return { type: 'image', text: picture.caption ?? null, file: { reference: picture.id } };
  const file = document ?? audio ?? video;
  if (file) {
    const { id: reference, filename: name, caption = null } = file;
    return { type: 'document', text: caption, file: { reference, ...(name && { name }) } };
  }
  const press = pressOf(message);
  if (press) return { type: 'button', ...press };
  const words = wordsFor(message);
  return words ? { type: 'text', text: words } : null;
}

/** A pressed button, a choice of a list, or a completed form. */
function pressOf({ button, interactive, context }: Message): Omit<Content, 'type'> | null {
  const pressedIn = context?.id === undefined ? {} : { pressedIn: context.id };
  if (button) return { text: button.text ?? null, payload: button.payload ?? null, ...pressedIn };
  const reply = interactive?.button_reply ?? interactive?.list_reply;
  if (reply) return { text: reply.title ?? null, payload: reply.id, ...pressedIn };
  const form = interactive?.nfm_reply;
  return form ? { text: form.body ?? null, payload: form.response_json, ...pressedIn } : null;
}

function wordsFor({ location, contacts, order }: Message): string | null {
  if (order) return orderedIn(order);
  if (location) {
    const { name, address, latitude, longitude } = location;
    return [name, address, `${latitude}, ${longitude}`].filter(Boolean).join('\n');
  }
  if (!contacts) return null;
  return contacts
    .map(({ name, phones = [] }) => [name?.formatted_name, ...phones.map(({ phone }) => phone)])
    .map((parts) => parts.filter(Boolean).join(' '))
    .join('\n');
}

const orderedIn = ({ text, product_items = [] }: Order): string =>
  [text, ...product_items.map(lineOf)].filter(Boolean).join('\n');

function lineOf({ product_retailer_id, quantity, item_price, currency }: OrderLine): string {
  const price = [item_price, currency].filter((part) => part !== undefined).join(' ');
  return [`${quantity} × ${product_retailer_id}`, price].filter(Boolean).join(', ');
}

const receipts: { readonly [status: string]: Receipt } = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  failed: 'undelivered',
};

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function receiptEvents({ id, status, biz_opaque_callback_data: uuid, errors = [] }: Status): InboundEvent[] {
  const state = Object.hasOwn(receipts, status) ? receipts[status] : undefined;
  if (!state) return [];
  const [error] = errors;
  const detail = error?.error_data?.details ?? error?.message ?? error?.title ?? '';
  const message = uuid && uuidForm.test(uuid) ? { uuid: uuid.toLowerCase() } : { providerId: id };
  return [{ kind: 'receipt', message, state, detail }];
}
