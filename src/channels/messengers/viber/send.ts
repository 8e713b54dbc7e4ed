import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { failed, Unsent, unanswered } from '../../contract/failure.ts';
import { unfit } from '../../shared/file.ts';
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
  const { sender_name: name, sender_avatar: avatar } = settings;
  try {
    const body = {
      receiver: message.chat.externalId,
      sender: { name, ...(avatar && { avatar }) },
      ...(await contentOf(message, client, deadline)),
      ...keyboardOf(message.buttons),
    };
    const answer = await callViber(client, settings, { method: 'send_message', body, signal: deadline, now });
    if (!answer.ok) return failed(errorOf(answer));
    const providerId = Value.Check(Sent, answer.body) ? String(answer.body.message_token) : null;
    return { sent: true, providerId };
  } catch (error) {
    return unanswered(error);
  }
}

/** The part of a message's body for its type. Throws `Unsent`. */
async function contentOf(
  { type, text, url }: OutgoingMessage,
  client: Client,
  signal: AbortSignal,
): Promise<object> {
  switch (type) {
    case 'text':
      return { type, text: text ?? '' };
    case 'image':
      return { type: 'picture', media: url, text: text ?? '' };
    case 'document':
      if (text) throw unfit('A file of Viber has no text beside it.');
      return { type: 'file', ...(await documentAt(url ?? '', client, signal)) };
    case 'template':
      throw new Unsent({ code: 'unsupported', detail: 'Viber has no templates.' });
  }
}
