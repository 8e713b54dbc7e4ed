import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Button, Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { beforehand, failed, unanswered } from '../../contract/failure.ts';
import { callOk } from './api.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';
import { upload } from './upload.ts';

const Sent = Type.Object({ message_id: Type.String() });

/** Odnoklassniki has no idempotency key and no receipts: a message ends at SENT. */
export async function send(
  message: OutgoingMessage,
  settings: Settings,
  client: Client,
  attempt: SendAttempt,
): Promise<SendResult> {
  const { chat, text, buttons } = message;
  const { deadline: signal, now } = attempt;
  const path = `messages/${encodeURIComponent(chat.externalId)}`;
  try {
    const media = await beforehand(mediaOf(message, settings, client, attempt));
    const attachments = [...media, ...keyboardOf(buttons)];
    const body = {
      recipient: { chat_id: chat.externalId },
      message: { ...(text && { text }), ...(attachments.length > 0 && { attachments }) },
    };
    const answer = await callOk(client, settings, { method: 'POST', path, body, signal, now });
    if (!answer.ok) return failed(errorOf(answer));
    return { sent: true, providerId: Value.Check(Sent, answer.body) ? answer.body.message_id : null };
  } catch (error) {
    return unanswered(error);
  }
}

/** The attachment of a picture or a file. */
async function mediaOf(
  { type, url }: OutgoingMessage,
  settings: Settings,
  client: Client,
  attempt: SendAttempt,
): Promise<object[]> {
  if (type === 'image') return [{ type: 'IMAGE', payload: { url } }];
  if (type !== 'document' || !url) return [];
  return [{ type: 'FILE', payload: { token: await upload(url, settings, client, attempt) } }];
}

/** One button per row: labels of any length stay readable on a phone. */
function keyboardOf(buttons: readonly Button[]): object[] {
  if (buttons.length === 0) return [];
  const rows = buttons.map((button) => [keyOf(button)]);
  return [{ type: 'INLINE_KEYBOARD', payload: { keyboard: { buttons: rows } } }];
}

const keyOf = ({ text, url, payload }: Button): object =>
  url
    ? { type: 'LINK', text, intent: 'DEFAULT', url }
    : { type: 'CALLBACK', text, intent: 'DEFAULT', payload: payload ?? text };
