import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import type { SendError } from '../../contract/errors.ts';
import { unanswered } from '../../contract/failure.ts';
import { callViber } from './api.ts';
import { documentAt } from './document.ts';
import { keyboardOf } from './keyboard.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

const Sent = Type.Object({ message_token: Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })]) });

export async function send(
  message: OutgoingMessage,
  settings: Settings,
  client: Client,
  { deadline, now }: SendAttempt,
): Promise<SendResult> {
  const content = await contentOf(message, client, deadline);
  if ('sent' in content) return content;
  const { sender_name: name, sender_avatar: avatar } = settings;
  const body = {
    receiver: message.chat.externalId,
    sender: { name, ...(avatar && { avatar }) },
    ...content,
    ...keyboardOf(message.buttons),
  };
  try {
    const answer = await callViber(client, settings, { method: 'send_message', body, signal: deadline, now });
    if (!answer.ok) return failed(errorOf(answer));
    const providerId = Value.Check(Sent, answer.body) ? String(answer.body.message_token) : null;
    return { sent: true, providerId };
  } catch (error) {
    return unanswered(error);
  }
}

const failed = (error: SendError): Extract<SendResult, { sent: false }> => ({ sent: false, error });

/** The part of a message's body for its type, or the reason why there is none. */
async function contentOf(
  { type, text, url }: OutgoingMessage,
  client: Client,
  signal: AbortSignal,
): Promise<object | Extract<SendResult, { sent: false }>> {
  switch (type) {
    case 'text':
      return { type, text: text ?? '' };
    case 'image':
      return { type: 'picture', media: url, text: text ?? '' };
    case 'document':
      if (text) return failed({ code: 'bad_content', detail: 'A file of Viber has no text beside it.' });
      return fileAt(url ?? '', client, signal);
    case 'template':
      return failed({ code: 'unsupported', detail: 'Viber has no templates.' });
  }
}

async function fileAt(url: string, client: Client, signal: AbortSignal): Promise<object> {
  const document = await documentAt(url, client, signal);
  return 'code' in document ? failed(document) : { type: 'file', ...document };
}
