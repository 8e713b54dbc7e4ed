import { normalizePhone } from '../../../platform/phone.ts';
import { constantTimeEqual } from '../../../platform/secrets/secret.ts';
import type { Receipt } from '../../contract/capabilities.ts';
import type { Correspondent, InboundEvent, InboundRequest, Verdict } from '../../contract/inbound.ts';
import { type Content, messageOf } from '../../shared/inbound.ts';
import { jsonIn } from '../../shared/json.ts';
import { cardFields } from '../../shared/vcard.ts';
import { isReceived, isStatus, type MessageData, type Received, type Status } from './notification.ts';
import type { Settings } from './settings.ts';

/** Unknown notifications are accepted too: the gateway repeats a refused one, and holds back those behind it. */
export function receive(request: InboundRequest, settings: Settings): Verdict {
  if (!isAuthentic(request, settings)) return { accepted: false, status: 403 };
  const notification = jsonIn(request.body);
  if (notification === undefined) return { accepted: false, status: 400 };
  return { accepted: true, events: eventsOf(notification) };
}

function isAuthentic({ headers }: InboundRequest, { webhook_token }: Settings): boolean {
  const shown = headers.authorization;
  if (webhook_token === undefined || typeof shown !== 'string') return false;
  return constantTimeEqual(shown.replace(/^Bearer /i, ''), webhook_token);
}

/** The account's own messages are reported too, and are no client's. */
function eventsOf(notification: unknown): InboundEvent[] {
  if (isReceived(notification)) return messageEvents(notification);
  if (isStatus(notification)) return receiptEvents(notification);
  return [];
}

function messageEvents({ idMessage, senderData, messageData }: Received): InboundEvent[] {
  const chatId = String(senderData.chatId);
  const content = contentOf(messageData);
  if (isGroup(chatId) || !content) return [];
  return [messageOf(correspondent(chatId, senderData), `${chatId}:${idMessage}`, content)];
}

const isGroup = (chatId: string): boolean => chatId.startsWith('-') || chatId.endsWith('@g.us');

/** A chat that was opened by phone has the same address. */
function correspondent(chatId: string, sender: Received['senderData']): Correspondent {
  const { senderPhoneNumber, senderName, senderContactName } = sender;
  const phone = normalizePhone(`+${String(senderPhoneNumber ?? '').replace(/^\+/, '')}`);
  const name = senderName || senderContactName;
  return { externalId: phone ?? chatId, ...(phone && { phone, lastingId: chatId }), ...(name && { name }) };
}

const states: { readonly [status: string]: Receipt } = {
  delivered: 'delivered',
  read: 'read',
  failed: 'undelivered',
  noAccount: 'undelivered',
};

function receiptEvents({ idMessage, status, description }: Status): InboundEvent[] {
  const state = Object.hasOwn(states, status) ? states[status] : undefined;
  if (!state) return [];
  const detail = state === 'undelivered' ? description || status : '';
  return [{ kind: 'receipt', message: { providerId: String(idMessage) }, state, detail }];
}

/** Null for notifications that are no message, such as a reaction. */
function contentOf(data: MessageData): Content | null {
  const { typeMessage, fileMessageData: file } = data;
  if (typeMessage === 'reactionMessage') return null;
  if (file?.downloadUrl) {
    const isPicture = typeMessage === 'imageMessage' || typeMessage === 'stickerMessage';
    const { downloadUrl: url, fileName: name, caption } = file;
    return {
      type: isPicture ? 'image' : 'document',
      text: caption || null,
      file: { url, ...(name && { name }) },
    };
  }
  const words = wordsIn(data);
  return words ? { type: 'text', text: words } : null;
}

function wordsIn(data: MessageData): string | null | undefined {
  const { locationMessageData: place, contactMessageData: contact } = data;
  if (place) {
    const point = `${place.latitude}, ${place.longitude}`;
    return [place.nameLocation, place.address, point].filter(Boolean).join('\n');
  }
  if (contact) {
    const { displayName, phoneNumber, vcard } = contact;
    return [displayName, phoneNumber || cardFields(vcard, 'TEL')[0]].filter(Boolean).join(' ');
  }
  const file = data.fileMessageData;
  return (
    data.textMessageData?.textMessage ??
    data.extendedTextMessageData?.text ??
    (file?.caption || file?.fileName)
  );
}
