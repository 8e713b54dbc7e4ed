import { actorOf } from '../../clients/profiles/audit.ts';
import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { normalizePhone } from '../../platform/phone.ts';
import { Invalid, messages } from '../../platform/problem.ts';
import { openChat } from '../chats/open.ts';
import { type RecipientRequest, resolveRecipients } from '../chats/recipients.ts';
import { type ChatRow, findChat } from '../chats/store.ts';
import { opensByPhone, opensByUsername, platformsFor } from './rules.ts';
import type { ConnectorEvent, MessageType } from './schema.ts';

type Key = ConnectorEvent['chat'];

/** The chat that an event names. Null when a phone number or username has no chat yet. Throws `Invalid`. */
export async function findNamedChat(
  sql: Sql,
  projectId: string,
  key: Key,
  type: MessageType | null,
): Promise<ChatRow | null> {
  if (key.uuid) {
    const chat = await findChat(sql, projectId, key.uuid);
    if (!chat) throw new Invalid({ chat: { uuid: [messages.missingObject(key.uuid)] } });
    return chat;
  }
  const wanted = key.phone_number
    ? { chat: null, profile: { phone_number: phoneOf(key.phone_number) }, platforms: platformsFor(type) }
    : { chat: { telegram_username: usernameOf(key) }, profile: null, platforms: opensByUsername };
  return findRecipient(sql, { projectId, ...wanted });
}

/** The chat that an event names. A phone number or a username may open it. Throws `Invalid`. */
export async function namedChat(
  context: Pick<Context, 'sql' | 'newId' | 'clock' | 'wake'>,
  principal: Principal,
  key: Key,
  type: MessageType | null,
): Promise<ChatRow> {
  const { projectId } = principal;
  const found = await findNamedChat(context.sql, projectId, key, type);
  if (found) return found;
  const actor = actorOf(principal);
  if (key.phone_number) {
    const phone = phoneOf(key.phone_number);
    const opened = await openChat(context, projectId, opensByPhone(type), { phone }, actor);
    if (opened) return opened;
    throw new Invalid({
      chat: { phone_number: ['No channel of the project can start a chat by phone number.'] },
    });
  }
  const opened = await openChat(context, projectId, opensByUsername, { username: usernameOf(key) }, actor);
  if (opened) return opened;
  throw new Invalid({ chat: { username: ['No channel of the project can start a chat by username.'] } });
}

function phoneOf(text: string): string {
  const phone = normalizePhone(text);
  if (!phone) throw new Invalid({ chat: { phone_number: ['Enter a valid phone number.'] } });
  return phone;
}

/** Telegram's rule for names, with or without the `@`. */
function usernameOf({ username }: Key): string {
  const name = /^@?(\w{4,32})$/.exec(username ?? '')?.[1];
  if (!name) throw new Invalid({ chat: { username: ['Enter a valid username.'] } });
  return name;
}

async function findRecipient(sql: Sql, request: RecipientRequest): Promise<ChatRow | null> {
  const [recipient] = await resolveRecipients(sql, [request]);
  if (recipient?.kind !== 'found') return null;
  return (await findChat(sql, request.projectId, recipient.chat.id)) ?? null;
}
