import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Button, Client, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import type { SendError } from '../../contract/errors.ts';
import { unanswered } from '../../contract/failure.ts';
import { UnfitFile } from '../../shared/file.ts';
import { callOk, OkRefused } from './api.ts';
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
  const media = await mediaOf(message, settings, client, attempt);
  if (!Array.isArray(media)) return media;
  const attachments = [...media, ...keyboardOf(buttons)];
  const body = {
    recipient: { chat_id: chat.externalId },
    message: { ...(text && { text }), ...(attachments.length > 0 && { attachments }) },
  };
  const path = `messages/${encodeURIComponent(chat.externalId)}`;
  try {
    const { deadline: signal, now } = attempt;
    const answer = await callOk(client, settings, { method: 'POST', path, body, signal, now });
    if (!answer.ok) return failed(errorOf(answer));
    return { sent: true, providerId: Value.Check(Sent, answer.body) ? answer.body.message_id : null };
  } catch (error) {
    return unanswered(error);
  }
}

const failed = (error: SendError): SendResult => ({ sent: false, error });

/** The attachment of a picture or a file. After a failed upload, nothing has been sent. */
async function mediaOf(
  { type, url }: OutgoingMessage,
  settings: Settings,
  client: Client,
  { deadline: signal, now }: SendAttempt,
): Promise<object[] | SendResult> {
  if (type === 'image') return [{ type: 'IMAGE', payload: { url } }];
  if (type !== 'document' || !url) return [];
  try {
    const token = await upload(client, settings, { url, signal, now });
    return [{ type: 'FILE', payload: { token } }];
  } catch (error) {
    if (error instanceof UnfitFile) return failed({ code: 'bad_content', detail: error.message });
    const result = error instanceof OkRefused ? failed(errorOf(error.answer)) : unanswered(error);
    if (result.sent || result.error.code !== 'temporary') return result;
    return failed({ ...result.error, mayHaveBeenSent: false });
  }
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
