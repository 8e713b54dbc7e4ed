import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { Button, OutgoingMessage, SendAttempt, SendResult } from '../../contract/adapter.ts';
import { failed, unanswered } from '../../contract/failure.ts';
import { type BotCall, callBot } from './bot-api.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

const SentMessage = Type.Object({ message_id: Type.Integer() });

/** Telegram has no idempotency key and no receipts: a message ends at SENT. */
export async function send(
  message: OutgoingMessage,
  settings: Settings,
  http: Outbound,
  { deadline }: Pick<SendAttempt, 'deadline'>,
): Promise<SendResult> {
  const call = callFor(message);
  if (!call) return failed({ code: 'unsupported' });
  try {
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

function callFor({ type, text, url, buttons, chat }: OutgoingMessage): BotCall | null {
  const common = { chat_id: chatId(chat.externalId), ...keyboard(buttons) };
  const caption = text ? { caption: text } : {};
  switch (type) {
    case 'text':
      return { method: 'sendMessage', parameters: { ...common, text: text ?? '' } };
    case 'image':
      return { method: 'sendPhoto', parameters: { ...common, photo: url, ...caption } };
    case 'document':
      return { method: 'sendDocument', parameters: { ...common, document: url, ...caption } };
    case 'template':
      return null;
  }
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
