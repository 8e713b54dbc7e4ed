import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { InboundEvent, InboundRequest, Verdict } from '../../contract/inbound.ts';
import { type Content, contentsOf, messagesOf } from '../../shared/inbound.ts';
import { jsonIn } from '../../shared/json.ts';
import { fileIn } from './files.ts';
import type { Settings } from './settings.ts';

/** Exact: digits, or a number with these digits. */
const Id = Type.Union([Type.String({ minLength: 1 }), Type.Integer()]);

/** Source: docs.ozon.ru/api/seller, "Уведомления, которые отправляет Ozon". */
const Push = Type.Object({ message_type: Type.String() });

const Ping = Type.Object({ message_type: Type.Literal('TYPE_PING'), time: Type.String() });

const User = Type.Object({ type: Type.String() });

const NewMessage = Type.Object({
  message_type: Type.Literal('TYPE_NEW_MESSAGE'),
  chat_id: Type.String({ minLength: 1 }),
  message_id: Id,
  user: User,
  data: Type.Array(Type.String()),
});

const MessageRead = Type.Object({
  message_type: Type.Literal('TYPE_MESSAGE_READ'),
  chat_id: Type.String({ minLength: 1 }),
  user: User,
  last_read_message_id: Id,
});

const ChatClosed = Type.Object({
  message_type: Type.Literal('TYPE_CHAT_CLOSED'),
  chat_id: Type.String({ minLength: 1 }),
});

const answered = (body: object, events: InboundEvent[]): Verdict => ({
  accepted: true,
  events,
  answer: () => ({ body }),
});

/** Unknown events are accepted too: Ozon sends many events that are not about chats. */
export function receive({ body }: InboundRequest, settings: Settings): Verdict {
  const push = jsonIn(body);
  if (!Value.Check(Push, push)) return { accepted: false, status: 400 };
  if (Value.Check(Ping, push)) {
    return answered({ version: '1.0', name: 'Patchbay', time: push.time }, []);
  }
  return answered({ result: true }, eventsOf(push, settings));
}

function eventsOf(push: object, settings: Settings): InboundEvent[] {
  if (Value.Check(NewMessage, push)) return isCustomer(push.user) ? messageEvents(push, settings) : [];
  if (Value.Check(MessageRead, push)) {
    const message = { chat: push.chat_id, upTo: String(push.last_read_message_id) };
    return isCustomer(push.user) ? [{ kind: 'receipt', message, state: 'read', detail: '' }] : [];
  }
  if (Value.Check(ChatClosed, push)) return [{ kind: 'stopped', chat: { externalId: push.chat_id } }];
  return [];
}

/** Ozon's own sample begins with a Cyrillic letter. */
const isCustomer = ({ type }: Static<typeof User>): boolean =>
  type === 'Customer' || type === '\u0421ustomer';

function messageEvents(
  { chat_id, message_id, data }: Static<typeof NewMessage>,
  settings: Settings,
): InboundEvent[] {
  return messagesOf({ externalId: chat_id }, String(message_id), saidIn(data, settings));
}

function saidIn(data: readonly string[], settings: Settings): Content[] {
  const parts = data.map((part) => ({ part, file: fileIn(part, settings) }));
  const texts = parts.flatMap(({ part, file }) => (file ? [] : [part]));
  return contentsOf(
    texts,
    parts.flatMap(({ file }) => file ?? []),
  );
}
