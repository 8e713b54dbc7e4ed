import type { InboundEvent } from '../channels/contract.ts';
import type { Context } from '../context.ts';
import { outboxRow } from '../events/outbox.ts';
import { chatOf } from './correspondent.ts';
import { findSeen, type Received } from './external-ids-store.ts';
import { presentMessageCreated, type SessionFacts } from './present.ts';
import { findReaction, type Reaction } from './reactions.ts';
import { type IncomingMessage, sessionOnMessage, storeIncoming } from './receive-store.ts';
import { openSession } from './sessions.ts';
import type { ChatChannel, ChatRow } from './store.ts';
import { streamReaction } from './stream-events.ts';

type MessageEvent = Extract<InboundEvent, { kind: 'message' }>;

/**
 * A client's message: makes the chat at the first contact, opens a session where the project wants one, stores the
 * message and announces it, and what it says of our messages before it. The same external id on a channel is the same message.
 */
export async function receiveMessage(
  context: Pick<Context, 'sql' | 'newId' | 'clock' | 'wake'>,
  channel: ChatChannel,
  event: MessageEvent,
  now: Date,
): Promise<Received> {
  const { sql, newId, wake } = context;
  const { externalId } = event.message;
  const seen = await findSeen(sql, channel.projectId, channel.id, externalId);
  if (seen) return seen;

  const chat = renamed(await chatOf(context, channel, event.chat), event);
  const [session, reaction] = await Promise.all([
    sessionOf(context, chat, now),
    findReaction(sql, chat, event.message, now),
  ]);
  const message: IncomingMessage = {
    id: newId(),
    external_id: externalId,
    content_type: event.message.type,
    content: contentOf(event),
  };
  const announcement = outboxRow(
    {
      type: 'message_created',
      projectId: chat.project_id,
      chatId: chat.id,
      platform: chat.platform,
      payload: presentMessageCreated({ chat, message, session }),
    },
    newId(),
    now,
    { task_id: null },
  );
  const announcements = [announcement, ...reactionRows(reaction, chat, newId, now)];
  if (await storeIncoming(sql, chat, message, reaction, announcements, now)) {
    wake.wake('webhooks');
    wake.wake('live');
    return { chatUuid: chat.id, profileUuid: chat.profile_id, messageUuid: message.id };
  }
  const twin = await findSeen(sql, channel.projectId, channel.id, externalId);
  if (!twin) throw new Error('a message that was just received twice is not there');
  return twin;
}

/** With the names that the client goes by now. */
const renamed = (chat: ChatRow, { chat: who }: MessageEvent): ChatRow => ({
  ...chat,
  name: who.name ?? chat.name,
  username: who.username ?? chat.username,
});

async function sessionOf(
  context: Pick<Context, 'sql' | 'newId' | 'clock' | 'wake'>,
  chat: ChatRow,
  now: Date,
): Promise<SessionFacts | null> {
  const { wanted, session } = await sessionOnMessage(context.sql, chat.project_id, chat.id);
  return session || !wanted ? session : openSession(context, chat, {}, now);
}

const reactionRows = ({ type, taskIds }: Reaction, chat: ChatRow, newId: () => string, now: Date) =>
  taskIds.map((taskId) => {
    const id = newId();
    const task = { id: taskId, project_id: chat.project_id };
    return outboxRow(streamReaction(id, task, chat, type), id, now, { task_id: taskId });
  });

function contentOf({ message: { text, url, payload } }: MessageEvent): IncomingMessage['content'] {
  return Object.fromEntries(Object.entries({ text, url, payload }).filter(([, value]) => value !== null));
}
