import type { Static } from 'typebox';
import { normalizePhone } from '../../../platform/phone.ts';
import { Invalid, messages } from '../../../platform/problem.ts';
import { constantTimeEqual } from '../../../platform/secrets/secret.ts';
import type { Route } from '../../contract/adapter.ts';
import type { Correspondent, InboundRequest, Verdict } from '../../contract/inbound.ts';
import { messageBody, receiptBody, stoppedBody } from './schema.ts';
import type { Settings } from './settings.ts';

type Receive = (request: InboundRequest) => Verdict;

/** Source: architecture, "API_Messenger", the lines that begin with POST. */
export const routes: readonly Route<Settings>[] = [
  route('messages', ({ json }) => receiveMessage(json(messageBody))),
  route('receipts', ({ json }) => receiveReceipt(json(receiptBody))),
  route('stopped', ({ json }) => receiveStopped(json(stoppedBody))),
];

function route(path: string, receive: Receive): Route<Settings> {
  return {
    method: 'POST',
    path,
    receive: (request, settings) =>
      isAuthentic(request, settings) ? receive(request) : { accepted: false, status: 403 },
  };
}

function isAuthentic({ headers }: InboundRequest, { secret }: Settings): boolean {
  const { authorization } = headers;
  const token = typeof authorization === 'string' ? /^Bearer +(\S.*)$/i.exec(authorization)?.[1] : undefined;
  return token !== undefined && constantTimeEqual(token, secret);
}

function receiveMessage({ chat, message }: Static<typeof messageBody>): Verdict {
  requireContent(message);
  const { external_id: externalId, type, text = null, url = null, payload = null } = message;
  return {
    accepted: true,
    events: [
      { kind: 'message', chat: correspondent(chat), message: { externalId, type, text, url, payload } },
    ],
    answer: ([stored]) => ({
      body: {
        chat_uuid: stored?.chatUuid ?? null,
        profile_uuid: stored?.profileUuid ?? null,
        message_uuid: stored?.messageUuid ?? null,
      },
    }),
  };
}

/** The required fields of each type. One of them must be present. */
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

function receiveReceipt({ message, state, detail }: Static<typeof receiptBody>): Verdict {
  const uuid = message.uuid.toLowerCase();
  return { accepted: true, events: [{ kind: 'receipt', message: { uuid }, state, detail: detail ?? '' }] };
}

function receiveStopped({ chat }: Static<typeof stoppedBody>): Verdict {
  return { accepted: true, events: [{ kind: 'stopped', chat: { externalId: chat.external_id } }] };
}
