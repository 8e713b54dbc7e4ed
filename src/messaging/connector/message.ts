import { findOperator } from '../../access/auth/operators-store.ts';
import { limitExceeded } from '../../channels/registry.ts';
import type { Context } from '../../platform/context.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { Invalid, messages } from '../../platform/problem.ts';
import { findSeen } from '../chats/external-ids-store.ts';
import type { Operator } from '../chats/present.ts';
import { replyToClient } from '../chats/reply.ts';
import { openSession } from '../chats/sessions.ts';
import { addVariables, type ChatRow } from '../chats/store.ts';
import { namedChat } from './chat.ts';
import { contentOf } from './content.ts';
import { presentSeen } from './present.ts';
import { fits } from './rules.ts';
import type { ConnectorAnswer, ConnectorEvent, Message } from './schema.ts';

/**
 * Queues an integration's message to a client. Opens a session if none is open, and sends an event to other
 * integrations. The same `external_id` from the same integration is the same message, under concurrent calls too.
 * @param id the uuid of the message
 */
export async function createMessage(
  context: Context,
  principal: Principal,
  { chat: key, sender }: ConnectorEvent,
  message: Message,
  id: string,
): Promise<ConnectorAnswer> {
  const seen = await findAnswer(context, principal, message);
  if (seen) return seen;

  const content = await contentOf(context, principal.projectId, message);
  const chat = await chatFor(context, principal, key, message);
  const operator = await operatorOf(context, principal, sender);
  const session = await openSession(context, chat, { operator }, context.clock.now());
  const { applicationId } = principal;
  const externalId = message.external_id ?? null;
  const isNew = await replyToClient(context, chat, session, {
    ...content,
    id,
    source: 'connector',
    type: message.type,
    operator,
    applicationId,
    seen: externalId && applicationId ? { ownerId: applicationId, externalId } : null,
  });
  const twin = isNew ? null : await findAnswer(context, principal, message);
  return (
    twin ?? presentSeen({ chatUuid: chat.id, profileUuid: chat.profile_id, messageUuid: id }, externalId)
  );
}

async function findAnswer(
  { sql }: Context,
  { projectId, applicationId }: Principal,
  { external_id: externalId }: Message,
): Promise<ConnectorAnswer | null> {
  if (!externalId || !applicationId) return null;
  const [seen] = await findSeen(sql, [{ projectId, ownerId: applicationId, externalId }]);
  return seen ? presentSeen(seen, externalId) : null;
}

async function chatFor(
  context: Context,
  principal: Principal,
  key: ConnectorEvent['chat'],
  { type, text }: Message,
): Promise<ChatRow> {
  const chat = await namedChat(context, principal, key, type);
  if (!fits(type, chat.platform)) {
    throw new Invalid({ message: { type: [`${type} cannot be sent to a chat in ${chat.platform}.`] } });
  }
  const isFile = type === 'image' || type === 'document';
  const most = limitExceeded(chat.platform, isFile ? type : 'text', text);
  if (most !== null) throw new Invalid({ message: { text: [messages.maxLength(most)] } });
  return key.variables ? addVariables(context.sql, chat, key.variables) : chat;
}

async function operatorOf(
  { sql }: Context,
  { projectId }: Principal,
  { uuid, name }: ConnectorEvent['sender'],
): Promise<Operator> {
  const known = uuid ? await findOperator(sql, projectId, uuid) : undefined;
  return {
    uuid: uuid?.toLowerCase() ?? null,
    name: name ?? known?.name ?? '',
    avatar: known?.avatar ?? null,
  };
}
