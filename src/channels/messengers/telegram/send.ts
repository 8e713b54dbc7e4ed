import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { Button, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { beforehand, failed, unanswered } from '../../contract/failure.ts';
import { fetchFile } from '../../shared/file.ts';
import { type BotCall, callBot } from './bot-api.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

const SentMessage = Type.Object({ message_id: Type.Integer() });

/** Telegram takes 50. As many files as the channel has places are in memory at once. */
const MOST_MIB = 20;

/** Telegram takes a larger picture as a document only. */
const MOST_PHOTO_BYTES = 10 * 1024 * 1024;

/** Telegram has no idempotency key and no receipts: a message ends at SENT. */
export async function send(
  message: OutgoingMessage,
  settings: Settings,
  http: Outbound,
  { deadline }: Pick<SendAttempt, 'deadline'>,
): Promise<SendResult> {
  try {
    const call = await beforehand(callFor(message, http, deadline));
    if (!call) return failed({ code: 'unsupported' });
    const answer = await callBot(settings, http, { ...call, limits: { signal: deadline } });
    if (!answer.ok) return failed(errorOf(answer));
    const { chat } = message;
    const { result } = answer;
    const providerId = Value.Check(SentMessage, result) ? `${chat.externalId}:${result.message_id}` : null;
    return { sent: true, providerId };
  } catch (error) {
    return unanswered(error);
  }
}

/**
 * By its address Telegram takes only GIF, PDF and ZIP as a document, and it cannot reach every address. So each file is
 * uploaded.
 */
async function callFor(
  { type, text, url, buttons, chat }: OutgoingMessage,
  http: Outbound,
  signal: AbortSignal,
): Promise<BotCall | null> {
  const common = { chat_id: chatId(chat.externalId), ...keyboard(buttons) };
  if (type === 'template') return null;
  if (type === 'text') return { method: 'sendMessage', parameters: { ...common, text: text ?? '' } };
  const file = await fetchFile(http, url ?? '', { mostMiB: MOST_MIB, signal });
  const parameters = { ...common, ...(text && { caption: text }) };
  return type === 'image' && file.bytes.length <= MOST_PHOTO_BYTES
    ? { method: 'sendPhoto', parameters, upload: { field: 'photo', file } }
    : { method: 'sendDocument', parameters, upload: { field: 'document', file } };
}

/** Ids of chats are numbers of up to 52 bits, which JSON numbers represent exactly. */
const chatId = (externalId: string): number | string =>
  Number.isSafeInteger(Number(externalId)) ? Number(externalId) : externalId;

/** One button per row: labels of any length stay readable on a phone. */
const keyboard = (buttons: Button[]): object =>
  buttons.length === 0
    ? {}
    : { reply_markup: { inline_keyboard: buttons.map((button) => [inlineButton(button)]) } };

const inlineButton = ({ text, url, payload }: Button): object =>
  url ? { text, url } : { text, callback_data: payload ?? text };
