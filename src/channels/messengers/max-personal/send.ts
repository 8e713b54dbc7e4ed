import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { beforehand, failed, Unsent, unanswered } from '../../contract/failure.ts';
import { fileNameOf } from '../../shared/file.ts';
import { callGateway, type GatewayCall } from './gateway.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

const Id = Type.Union([Type.String({ minLength: 1 }), Type.Integer()]);
const Sent = Type.Object({ idMessage: Id });
const Account = Type.Object({
  exist: Type.Boolean(),
  chatId: Type.Optional(Type.Union([Id, Type.Literal(''), Type.Null()])),
});

/** The gateway has no idempotency key. */
export async function send(
  message: OutgoingMessage,
  settings: Settings,
  client: Client,
  attempt: SendAttempt,
): Promise<SendResult> {
  const { deadline: signal, now } = attempt;
  try {
    const chatId = await beforehand(chatIdOf(message.chat, settings, client, attempt));
    const call = callFor(message, chatId);
    if (!call) return failed({ code: 'unsupported' });
    const answer = await callGateway(client, settings, { ...call, signal, now });
    if (!answer.ok) return failed(errorOf(answer));
    return { sent: true, providerId: Value.Check(Sent, answer.body) ? String(answer.body.idMessage) : null };
  } catch (error) {
    return unanswered(error);
  }
}

const noAccount = 'The phone number has no account.';
const unclear = 'The gateway did not say whether the number has an account.';

/**
 * The chat in which the client wrote. Otherwise it is looked up by the phone number, which the gateway allows for few
 * countries and not often. Throws `Unsent`.
 */
async function chatIdOf(
  { externalId, lastingIds }: OutgoingMessage['chat'],
  settings: Settings,
  client: Client,
  { deadline: signal, now }: SendAttempt,
): Promise<string> {
  if (!externalId.startsWith('+')) return externalId;
  const known = lastingIds?.at(-1);
  if (known !== undefined) return known;
  const body = { phoneNumber: Number(externalId.slice(1)) };
  const answer = await callGateway(client, settings, { method: 'checkAccount', body, signal, now });
  if (!answer.ok) throw new Unsent(errorOf(answer));
  const account = answer.body;
  if (!Value.Check(Account, account)) {
    throw new Unsent({ code: 'temporary', mayHaveBeenSent: false, detail: unclear });
  }
  if (!account.exist || !account.chatId) throw new Unsent({ code: 'invalid_recipient', detail: noAccount });
  return String(account.chatId);
}

function callFor({ type, text, url }: OutgoingMessage, chatId: string): GatewayCall | null {
  switch (type) {
    case 'text':
      return { method: 'sendMessage', body: { chatId, message: text ?? '' } };
    case 'image':
    case 'document': {
      if (!url) return null;
      const file = { urlFile: url, fileName: fileNameFor(type, url) };
      return { method: 'sendFileByUrl', body: { chatId, ...file, ...(text && { caption: text }) } };
    }
    case 'template':
      return null;
  }
}

/** The gateway recognizes a picture by its extension. */
function fileNameFor(type: 'image' | 'document', url: string): string {
  const name = fileNameOf(url);
  return type === 'image' && !/\.\w+$/.test(name) ? `${name}.jpg` : name;
}
