import type { Principal } from '../auth/principal.ts';
import { findSeen, insertSeen, isSeen } from '../chats/external-ids-store.ts';
import { type Operator, presentOperatorReplied } from '../chats/present.ts';
import { type NewMessage, queueMessages } from '../chats/queue.ts';
import { openSession } from '../chats/sessions.ts';
import type { OpenSession } from '../chats/sessions-store.ts';
import { addVariables, type ChatRow } from '../chats/store.ts';
import type { Context } from '../context.ts';
import { recordEvents } from '../events/outbox.ts';
import { Invalid } from '../lib/problem.ts';
import { namedChat } from './chat.ts';
import { type Content, contentOf } from './content.ts';
import { presentSeen } from './present.ts';
import { fits } from './rules.ts';
import type { ConnectorAnswer, ConnectorEvent, Message } from './schema.ts';
import { findOperator } from './store.ts';

/**
 * An integration's message to a client: it is queued, opens a session where none is open, and other integrations hear
 * of it. The same `external_id` from the same integration is the same message, at the same time too.
 * @param id the uuid that the message will have
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
  const row = rowOf(principal, chat, session, operator, message, { id, content, now: context.clock.now() });
  try {
    await store(context, row, chat, session, operator);
  } catch (error) {
    const twin = isSeen(error) && (await findAnswer(context, principal, message));
    if (twin) return twin;
    throw error;
  }
  context.wake.wake('sending');
  context.wake.wake('webhooks');
  return presentSeen({ chatUuid: chat.id, profileUuid: chat.profile_id, messageUuid: id }, row.external_id);
}

async function findAnswer(
  { sql }: Context,
  { projectId, applicationId }: Principal,
  { external_id: externalId }: Message,
): Promise<ConnectorAnswer | null> {
  if (!externalId || !applicationId) return null;
  const seen = await findSeen(sql, projectId, applicationId, externalId);
  return seen ? presentSeen(seen, externalId) : null;
}

async function chatFor(
  context: Context,
  principal: Principal,
  key: ConnectorEvent['chat'],
  { type }: Message,
): Promise<ChatRow> {
  const chat = await namedChat(context, principal, key, type);
  if (!fits(type, chat.platform)) {
    throw new Invalid({ message: { type: [`${type} cannot be sent to a chat in ${chat.platform}.`] } });
  }
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

type Reply = NewMessage & { external_id: string | null };

function rowOf(
  { projectId, applicationId }: Principal,
  chat: ChatRow,
  session: OpenSession,
  operator: Operator,
  message: Message,
  made: { id: string; content: Content; now: Date },
): Reply {
  return {
    id: made.id,
    project_id: projectId,
    chat_id: chat.id,
    channel_id: chat.channel_id,
    source: 'connector',
    content_type: message.type,
    ...made.content,
    application_id: applicationId,
    author_id: operator.uuid,
    author_name: operator.name,
    session_id: session.id,
    external_id: message.external_id ?? null,
    // It belongs to the open session, so it is not to wait for its end.
    is_force: true,
    created_at: made.now,
    lane: 0,
    due_at: made.now,
    state: 'PENDING',
  };
}

/** All or nothing. The outside id comes first: a twin waits there, and fails when this one is stored. */
async function store(
  { sql, newId }: Context,
  row: Reply,
  chat: ChatRow,
  session: OpenSession,
  operator: Operator,
): Promise<void> {
  const { id, external_id: externalId, application_id: ownerId, created_at: now } = row;
  const event = {
    type: 'operator_replied' as const,
    projectId: chat.project_id,
    chatId: chat.id,
    platform: chat.platform,
    payload: presentOperatorReplied(
      { chat, message: { ...row, content: row.rendered ?? row.content }, session },
      operator,
    ),
    exceptApplicationId: ownerId,
  };
  await sql.begin((transaction) => [
    externalId && ownerId
      ? insertSeen(transaction, {
          projectId: chat.project_id,
          ownerId,
          externalId,
          messageId: id,
          chatId: chat.id,
          now,
        })
      : undefined,
    queueMessages(transaction, [row]),
    recordEvents(transaction, [event], now, newId),
  ]);
}
