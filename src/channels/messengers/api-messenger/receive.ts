import type { Static } from 'typebox';
import { normalizePhone } from '../../../platform/phone.ts';
import { Invalid, messages } from '../../../platform/problem.ts';
import { constantTimeEqual } from '../../../platform/secrets/secret.ts';
import type { Correspondent, InboundRequest, Received } from '../../contract/adapter.ts';
import { messageBody, receiptBody, stoppedBody } from './schema.ts';
import type { Settings } from './settings.ts';

/** Source: architecture, "API_Messenger", the lines that begin with POST. */
export function receive(request: InboundRequest, settings: Settings): Received {
  if (!isAuthentic(request, settings)) return { accepted: false, status: 403 };
  switch (request.path) {
    case 'messages':
      return receiveMessage(request.json(messageBody));
    case 'receipts':
      return receiveReceipt(request.json(receiptBody));
    case 'stopped':
      return receiveStopped(request.json(stoppedBody));
    default:
      return { accepted: false, status: 404 };
  }
}

function isAuthentic({ headers }: InboundRequest, { secret }: Settings): boolean {
  const { authorization } = headers;
  const token = typeof authorization === 'string' ? /^Bearer +(.+)$/i.exec(authorization)?.[1] : undefined;
  return token !== undefined && constantTimeEqual(token, secret);
}

function receiveMessage({ chat, message }: Static<typeof messageBody>): Received {
  requireContent(message);
  const { external_id: externalId, type, text = null, url = null, payload = null } = message;
  return {
    accepted: true,
    events: [
      { kind: 'message', chat: correspondent(chat), message: { externalId, type, text, url, payload } },
    ],
    answer: ([stored]) => ({
      chat_uuid: stored?.chatUuid ?? null,
      profile_uuid: stored?.profileUuid ?? null,
      message_uuid: stored?.messageUuid ?? null,
    }),
  };
}

/** The fields of which one must be there: without them a message of its type is nothing. */
const contentFields = {
  text: ['text'],
  image: ['url'],
  document: ['url'],
  button: ['payload', 'text'],
} as const;

function requireContent(message: Static<typeof messageBody>['message']): void {
  const fields = contentFields[message.type];
  if (fields.some((field) => message[field])) return;
  throw new Invalid({ message: { [fields[0]]: [messages.required] } });
}

function correspondent(chat: Static<typeof messageBody>['chat']): Correspondent {
  const { external_id: externalId, name, username } = chat;
  const phone = chat.phone && normalizePhone(chat.phone);
  if (chat.phone && !phone) throw new Invalid({ chat: { phone: ['Enter a valid phone number.'] } });
  return { externalId, ...(name && { name }), ...(phone && { phone }), ...(username && { username }) };
}

function receiveReceipt({ message, state, detail }: Static<typeof receiptBody>): Received {
  const uuid = message.uuid.toLowerCase();
  return { accepted: true, events: [{ kind: 'receipt', message: { uuid }, state, detail: detail ?? '' }] };
}

function receiveStopped({ chat }: Static<typeof stoppedBody>): Received {
  return { accepted: true, events: [{ kind: 'stopped', chat: { externalId: chat.external_id } }] };
}
