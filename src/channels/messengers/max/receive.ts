import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { constantTimeEqual } from '../../../platform/secrets/secret.ts';
import type { Correspondent, InboundEvent, InboundRequest, Verdict } from '../../contract/inbound.ts';
import { messageOf, messagesOf } from '../../shared/inbound.ts';
import { jsonIn } from '../../shared/json.ts';
import { attachmentsOf, ownPhone, saidIn } from './content.ts';
import type { Settings } from './settings.ts';
import {
  BotStarted,
  BotStopped,
  type Message,
  MessageCallback,
  MessageCreated,
  type User,
} from './update.ts';

/** Unknown updates are accepted too: Max repeats a refused update, and then ends the subscription. */
export function receive(request: InboundRequest, settings: Settings): Verdict {
  if (!isAuthentic(request, settings)) return { accepted: false, status: 403 };
  const update = jsonIn(request.body);
  if (update === undefined) return { accepted: false, status: 400 };
  return { accepted: true, events: eventsOf(update) };
}

function isAuthentic({ headers }: InboundRequest, { secret }: Settings): boolean {
  const shown = headers['x-max-bot-api-secret'];
  return secret !== undefined && typeof shown === 'string' && constantTimeEqual(shown, secret);
}

function eventsOf(update: unknown): InboundEvent[] {
  if (Value.Check(MessageCreated, update)) return messageEvents(update.message);
  if (Value.Check(MessageCallback, update)) return pressEvents(update);
  if (Value.Check(BotStarted, update)) return startEvents(update);
  if (Value.Check(BotStopped, update)) {
    return [{ kind: 'stopped', chat: { externalId: String(update.user.user_id) } }];
  }
  return [];
}

function messageEvents(message: Message): InboundEvent[] {
  const { sender, recipient, body } = message;
  if (!sender || sender.is_bot || recipient.chat_type !== 'dialog') return [];
  const phone = ownPhone(message);
  const chat = { ...correspondent(sender), ...(phone && { phone }) };
  return messagesOf(chat, body.mid, saidIn(message));
}

function pressEvents({ callback, message }: Static<typeof MessageCallback>): InboundEvent[] {
  if (message && message.recipient.chat_type !== 'dialog') return [];
  const { callback_id, timestamp, payload = null, user } = callback;
  const externalId = `press:${callback_id}:${timestamp}`;
  const buttons = attachmentsOf(message?.body).flatMap((attachment) => attachment.payload?.buttons ?? []);
  const text = buttons.flat().find((button) => button.payload === payload)?.text ?? null;
  return [
    messageOf(correspondent(user), externalId, { type: 'button', text, payload }),
    { kind: 'pressed', press: { callback_id } },
  ];
}

/** A client starts the bot by a button, or by a link with parameters. Both become a message. */
function startEvents({ user, timestamp, payload }: Static<typeof BotStarted>): InboundEvent[] {
  const externalId = `start:${user.user_id}:${timestamp}`;
  const text = payload ? `/start ${payload}` : '/start';
  return [
    messageOf(correspondent(user), externalId, { type: 'text', text, ...(payload && { ref: payload }) }),
  ];
}

function correspondent({ user_id, first_name, last_name, name, username }: User): Correspondent {
  const whole = [first_name, last_name].filter(Boolean).join(' ') || name;
  return { externalId: String(user_id), ...(whole && { name: whole }), ...(username && { username }) };
}
