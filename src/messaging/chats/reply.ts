import { recordEvents } from '../../events/outbox.ts';
import type { Context } from '../../platform/context.ts';
import { currentTrace } from '../../platform/work.ts';
import { type NewMessage, queueMessages } from '../messages/queue-store.ts';
import { insertSeen, isSeen } from './external-ids-store.ts';
import { type Operator, presentOperatorReplied } from './present.ts';
import { markRead } from './read-marks-store.ts';
import type { OpenSession } from './sessions-store.ts';
import type { ChatRow } from './store.ts';

export type Reply = Pick<NewMessage, 'content' | 'rendered'> & {
  /** The uuid that the message will have. */
  id: string;
  source: 'connector' | 'operator';
  type: string;
  operator: Operator;
  /** The integration that sent it, which gets no event about it. Null for none. */
  applicationId: string | null;
  /** The message's id in the sender's system. A repeated id is the same message. */
  seen: { ownerId: string; externalId: string } | null;
};

/**
 * Queues an operator's message to a client, in the chat's open session. All earlier messages count as read, and
 * integrations get an event. Returns false, and stores nothing, when its owner has used the outside id before. This
 * holds under concurrent calls too.
 */
export async function replyToClient(
  context: Context,
  chat: ChatRow,
  session: OpenSession,
  reply: Reply,
): Promise<boolean> {
  const now = context.clock.now();
  try {
    await store(context, chat, session, reply, rowOf(chat, session, reply, now));
  } catch (error) {
    if (isSeen(error)) return false;
    throw error;
  }
  // Outside the transaction: a message that the client sends now locks the same rows in another order.
  await markRead(context.sql, chat, reply.id);
  for (const topic of ['sending', 'webhooks', 'live']) context.wake.wake(topic);
  return true;
}

const rowOf = (chat: ChatRow, session: OpenSession, reply: Reply, now: Date) => ({
  id: reply.id,
  project_id: chat.project_id,
  chat_id: chat.id,
  channel_id: chat.channel_id,
  source: reply.source,
  content_type: reply.type,
  content: reply.content,
  ...(reply.rendered && { rendered: reply.rendered }),
  application_id: reply.applicationId,
  author_id: reply.operator.uuid,
  author_name: reply.operator.name,
  session_id: session.id,
  external_id: reply.seen?.externalId ?? null,
  // It belongs to the open session, and must not wait for the session's end.
  is_force: true,
  created_at: now,
  lane: 0 as const,
  due_at: now,
  state: 'PENDING' as const,
  trace: currentTrace(),
});

/** All or nothing. The outside id comes first: a duplicate waits there, and fails when this one is stored. */
async function store(
  { sql, newId }: Context,
  chat: ChatRow,
  session: OpenSession,
  { seen, operator, applicationId }: Reply,
  row: ReturnType<typeof rowOf>,
): Promise<void> {
  const { id: messageId, created_at: now } = row;
  const event = {
    type: 'operator_replied' as const,
    projectId: chat.project_id,
    chatId: chat.id,
    platform: chat.platform,
    payload: presentOperatorReplied(
      { chat, message: { ...row, content: row.rendered ?? row.content }, session },
      operator,
    ),
    exceptApplicationId: applicationId,
  };
  await sql.begin(async (transaction) => {
    if (seen) {
      await insertSeen(transaction, {
        projectId: chat.project_id,
        ...seen,
        messageId,
        chatId: chat.id,
        now,
      });
    }
    await queueMessages(transaction, [row]);
    await recordEvents(transaction, [event], now, newId);
  });
}
