import type { InboundEvent } from '../../channels/contract/inbound.ts';
import { outboxRow } from '../../events/outbox.ts';
import type { Context } from '../../platform/context.ts';
import { expectFile } from '../attachments/expect.ts';
import { chatOf } from './correspondent.ts';
import { findSeen, type Received } from './external-ids-store.ts';
import { mailingReaction } from './mailing-events.ts';
import { presentMessageCreated, type SessionFacts } from './present.ts';
import { findReaction, type Reaction } from './reactions.ts';
import { type IncomingMessage, sessionOnMessage, storeIncoming } from './receive-store.ts';
import { openSession } from './sessions.ts';
import type { ChatChannel, ChatRow } from './store.ts';
import { streamReaction } from './stream-events.ts';

type Needs = Pick<Context, 'sql' | 'newId' | 'clock' | 'wake' | 'config' | 'log'>;

type MessageEvent = Extract<InboundEvent, { kind: 'message' }>;

/**
 * Receives a client's message. The first contact creates the chat. A session opens if the project wants one. The
 * message is stored and announced, with its reaction to our earlier messages. The same external id on a channel is
 * the same message.
 */
export async function receiveMessage(
  context: Needs,
  channel: ChatChannel,
  event: MessageEvent,
  now: Date,
): Promise<Received> {
  const { sql, newId, wake } = context;
  const { externalId } = event.message;
  const seen = await findSeen(sql, channel.projectId, channel.id, externalId);
  if (seen) return seen;

  const chat = renamed(await chatOf(context, channel, event.chat), event);
  const [{ session, listens }, reaction] = await Promise.all([
    sessionOf(context, chat, now),
    findReaction(sql, chat, event.message, now),
  ]);
  const message: IncomingMessage = {
    id: newId(),
    external_id: externalId,
    content_type: event.message.type,
    content: await contentOf(context, channel, event),
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
    { reacted_to: null },
  );
  const announcements = [announcement, ...reactionRows(reaction, chat, newId, now)];
  const { text, ref = null } = event.message;
  const listening = listens ? { text, ref, runId: newId() } : null;
  if (await storeIncoming(sql, chat, message, reaction, announcements, now, listening)) {
    if (listening) wake.wake('running');
    wake.wake('webhooks');
    wake.wake('live');
    return { chatUuid: chat.id, profileUuid: chat.profile_id, messageUuid: message.id };
  }
  const twin = await findSeen(sql, channel.projectId, channel.id, externalId);
  if (!twin) throw new Error('a message that was just received twice is missing');
  return twin;
}

/** With the client's current names. */
const renamed = (chat: ChatRow, { chat: who }: MessageEvent): ChatRow => ({
  ...chat,
  name: who.name ?? chat.name,
  username: who.username ?? chat.username,
});

async function sessionOf(
  context: Pick<Context, 'sql' | 'newId' | 'clock' | 'wake'>,
  chat: ChatRow,
  now: Date,
): Promise<{ session: SessionFacts | null; listens: boolean }> {
  const { wanted, session, listens } = await sessionOnMessage(context.sql, chat);
  if (session || !wanted) return { session, listens };
  return { session: await openSession(context, chat, {}, now), listens: false };
}

const reactionRows = ({ type, messages }: Reaction, chat: ChatRow, newId: () => string, now: Date) =>
  messages.map(({ id: messageId, source }) => {
    const id = newId();
    const event =
      source === 'mailing'
        ? mailingReaction(id, chat.project_id, chat, type)
        : streamReaction(id, { id: messageId, project_id: chat.project_id }, chat, type);
    return outboxRow(event, id, now, { reacted_to: messageId });
  });

async function contentOf(
  context: Needs,
  channel: ChatChannel,
  { message: { text, url: given, payload, file, subject, ref } }: MessageEvent,
): Promise<IncomingMessage['content']> {
  const url = file ? await expectFile(context, channel, file) : given;
  return Object.fromEntries(
    Object.entries({ text, url, payload, ...(subject && { subject }), ...(ref && { ref }) }).filter(
      ([, value]) => value !== null,
    ),
  );
}
