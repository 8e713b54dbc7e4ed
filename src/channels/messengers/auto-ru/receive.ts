import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { constantTimeEqual } from '../../../platform/secrets/secret.ts';
import type { InboundFile, InboundMessage, InboundRequest, Verdict } from '../../contract/inbound.ts';
import { jsonIn } from '../../shared/json.ts';
import type { Settings } from './settings.ts';

const maybeText = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/** Exact: a number, or the digits of one that is too large. */
const Id = Type.Union([Type.String({ minLength: 1 }), Type.Integer()]);

/** Source: yandex.ru/dev/autoru, "Сообщение пользователя". */
const Said = Type.Object({
  sender: Type.Object({ id: Id, name: maybeText }),
  message: Type.Object({ type: Type.String(), id: Id, text: maybeText, file: maybeText }),
});

/** The address names the dealer. This channel could not answer a message for another one. */
export function receive({ query, body }: InboundRequest, { token }: Settings): Verdict {
  const chatId = query.get('chat_id');
  if (chatId !== null && !constantTimeEqual(chatId, token)) return { accepted: false, status: 403 };
  const said = jsonIn(body);
  if (!Value.Check(Said, said)) return { accepted: false, status: 400 };
  const { sender, message } = said;
  const content = contentOf(message);
  if (!content) return { accepted: true, events: [] };
  const chat = { externalId: String(sender.id), ...(sender.name && { name: sender.name }) };
  const own = { externalId: String(message.id), url: null, payload: null };
  return { accepted: true, events: [{ kind: 'message', chat, message: { ...own, ...content } }] };
}

function contentOf({
  type,
  text,
  file,
}: Static<typeof Said>['message']): Pick<InboundMessage, 'type' | 'text' | 'file'> | null {
  const found = file ? fileAt(file) : null;
  if (found) return { type: type === 'photo' ? 'image' : 'document', text: text || null, file: found };
  return text ? { type: 'text', text } : null;
}

/** Yandex sometimes omits the scheme of a picture's address. */
function fileAt(address: string): InboundFile | null {
  const url = URL.parse(address, 'https://auto.ru/');
  return url ? { url: url.href } : null;
}
