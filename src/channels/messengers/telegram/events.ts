import { normalizePhone } from '../../../platform/phone.ts';
import type { Correspondent, InboundEvent } from '../../contract/inbound.ts';
import { messageOf } from '../../shared/inbound.ts';
import { contentOf } from './content.ts';
import type { CallbackQuery, Chat, ChatMemberUpdated, Message, Update } from './update.ts';

/**
 * The events of an update. Only private chats are with a client: messages in groups and channels with the bot are
 * ignored. Ids are those of messages, because Telegram may restart the numbers of updates.
 */
export function eventsOf({ message, callback_query, my_chat_member }: Update): InboundEvent[] {
  const events: InboundEvent[] = [];
  if (message && isPrivate(message.chat)) events.push(...messageEvents(message));
  if (callback_query) events.push(...pressEvents(callback_query));
  if (my_chat_member && isPrivate(my_chat_member.chat)) events.push(...membershipEvents(my_chat_member));
  return events;
}

/** The client has blocked the bot, or unblocked it. */
function membershipEvents({ chat: { id }, new_chat_member }: ChatMemberUpdated): InboundEvent[] {
  const chat = { externalId: String(id) };
  if (new_chat_member.status === 'kicked') return [{ kind: 'stopped', chat }];
  return new_chat_member.status === 'member' ? [{ kind: 'returned', chat }] : [];
}

const isPrivate = ({ type }: Chat): boolean => type === 'private';

function messageEvents(message: Message): InboundEvent[] {
  const content = contentOf(message);
  if (!content) return [];
  const { chat, message_id } = message;
  const phone = ownPhone(message);
  const who = { ...correspondent(chat), ...(phone && { phone }) };
  return [messageOf(who, `${chat.id}:${message_id}`, content)];
}

function pressEvents({ id, from, message, data }: CallbackQuery): InboundEvent[] {
  if (message && !isPrivate(message.chat)) return [];
  const buttons = message?.reply_markup?.inline_keyboard.flat() ?? [];
  const label = buttons.find(({ callback_data }) => callback_data === data)?.text ?? null;
  const press = { type: 'button' as const, text: label, payload: data ?? null };
  return [messageOf(correspondent(message?.chat ?? from), `callback:${id}`, press)];
}

function correspondent({ id, first_name, last_name, username }: Omit<Chat, 'type'>): Correspondent {
  const name = [first_name, last_name].filter(Boolean).join(' ');
  return { externalId: String(id), ...(name && { name }), ...(username && { username }) };
}

/** A contact is the client's own only if Telegram says so: a client can send anyone's contact. */
function ownPhone({ contact, from }: Message): string | null {
  if (contact?.user_id === undefined || contact.user_id !== from?.id) return null;
  // Telegram sends E.164, often without its `+`.
  return normalizePhone(`+${contact.phone_number.replace(/^\+/, '')}`);
}
