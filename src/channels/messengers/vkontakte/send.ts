import { hash } from 'node:crypto';
import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { beforehand, failed, unanswered } from '../../contract/failure.ts';
import { callVk } from './api.ts';
import { keyboardOf } from './keyboard.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';
import { upload } from './upload.ts';

const MessageId = Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })]);

export async function send(
  message: OutgoingMessage,
  settings: Settings,
  client: Client,
  attempt: SendAttempt,
): Promise<SendResult> {
  const { chat, text, url, buttons } = message;
  const { deadline: signal, now } = attempt;
  try {
    const attachment = url && (await beforehand(upload(message, settings, client, attempt)));
    const parameters = {
      user_id: chat.externalId,
      random_id: String(randomId(message.uuid)),
      ...(text && { message: text }),
      ...(attachment && { attachment }),
      ...(buttons.length > 0 && { keyboard: JSON.stringify(keyboardOf(buttons)) }),
    };
    const answer = await callVk(client, settings, { method: 'messages.send', parameters, signal, now });
    if (!answer.ok) return failed(errorOf(answer));
    return { sent: true, providerId: Value.Check(MessageId, answer.body) ? String(answer.body) : null };
  } catch (error) {
    return unanswered(error);
  }
}

/** The same in every attempt. VK recognizes a repeated message by it. */
const randomId = (uuid: string): number => hash('sha256', uuid, 'buffer').readUInt32BE() & 0x7fffffff || 1;
