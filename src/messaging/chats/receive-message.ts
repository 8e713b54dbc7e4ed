import type { InboundEvent } from '../../channels/contract/inbound.ts';
import { outboxRow } from '../../events/outbox.ts';
import type { Context } from '../../platform/context.ts';
import { currentTrace } from '../../platform/work.ts';
import { asKeyword } from '../../scenarios/keywords.ts';
import { expectFile } from '../attachments/expect.ts';
import { queueMessages } from '../messages/queue-store.ts';
import { comeBack, leave } from './consent.ts';
import { type Asked, answerTo, wayOf } from './consent-words.ts';
import { chatOf } from './correspondent.ts';
import type { Received } from './external-ids-store.ts';
import { mailingReaction } from './mailing-events.ts';
import { presentMessageCreated, type SessionFacts } from './present.ts';
import { findReaction, type Reaction } from './reactions.ts';
import type { IncomingMessage, Said } from './receive-store.ts';
import type { Receiving } from './receiving.ts';
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
  receiving: Receiving,
  channel: ChatChannel,
  event: MessageEvent,
  now: Date,
): Promise<Received> {
  const { newId } = context;
  const key = {
    projectId: channel.projectId,
    ownerId: channel.id,
    externalId: event.message.externalId,
  };
  const seen = await receiving.seen(key);
  if (seen) return seen;

  const known = await chatOf(context, channel, event.chat, undefined, receiving.chatAt);
  const chat = renamed(known, event);
  const word = asKeyword(await wordsOf(receiving, chat, event.message));
  const [{ session, listens, asked }, reaction] = await Promise.all([
    sessionOf(context, receiving, { chat, word }, now),
    findReaction(receiving, chat, event.message, now),
  ]);
  const message: IncomingMessage = {
    id: newId(),
    external_id: key.externalId,
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
  const { text, own = text, ref = null } = event.message;
  // A text that is for us is not for a scenario. A button is its scenario's too.
  const isHeard = listens && (asked === null || event.message.type === 'button');
  const heard = isHeard ? { text: own, ref, runId: newId() } : null;
  // Before the message is stored: a repetition of the call repeats this too.
  if (asked) await changeConsent(context, chat, asked, event, now);
  if (await receiving.store({ chat, message, reaction, announcements, heard, now })) {
    if (asked) await answerWord(context, chat, asked, word, now);
    return { chatUuid: chat.id, profileUuid: chat.profile_id, messageUuid: message.id };
  }
  const twin = await receiving.seen(key);
  if (!twin) throw new Error('a message that was just received twice is missing');
  return twin;
}

async function changeConsent(
  { sql }: Needs,
  { project_id: projectId, id: chatId }: ChatRow,
  { change, topic }: Asked,
  { message }: MessageEvent,
  now: Date,
): Promise<void> {
  const chat = { projectId, chatId };
  if (change === 'return') await comeBack(sql, chat, null);
  else await leave(sql, chat, { topicId: topic?.id ?? null, way: wayOf(message.type), now });
}

async function answerWord(
  { sql, newId, wake }: Needs,
  chat: ChatRow,
  asked: Asked,
  word: string,
  now: Date,
): Promise<void> {
  const text = answerTo(word, asked);
  if (text === null) return;
  await queueMessages(sql, [
    {
      id: newId(),
      project_id: chat.project_id,
      chat_id: chat.id,
      channel_id: chat.channel_id,
      source: 'scenario',
      content_type: 'text',
      content: { text },
      is_force: true,
      created_at: now,
      lane: 0,
      due_at: now,
      state: 'PENDING',
      trace: currentTrace(),
    },
  ]);
  wake.wake('sending');
}

/** The client's own words. Some channels name a pressed button by its payload alone: its label is in our message. */
async function wordsOf(
  { label }: Pick<Receiving, 'label'>,
  chat: ChatRow,
  { type, words, text, payload }: MessageEvent['message'],
): Promise<string> {
  const given = words ?? text;
  if (given || type !== 'button' || !payload) return given ?? '';
  return (await label({ chat, button: payload }))?.label ?? '';
}

/** With the client's current names. */
const renamed = (chat: ChatRow, { chat: who }: MessageEvent): ChatRow => ({
  ...chat,
  name: who.name ?? chat.name,
  username: who.username ?? chat.username,
});

async function sessionOf(
  context: Pick<Context, 'sql' | 'newId' | 'clock' | 'wake'>,
  receiving: Receiving,
  said: Said,
  now: Date,
): Promise<{ session: SessionFacts | null; listens: boolean; asked: Asked | null }> {
  const found = await receiving.session(said);
  if (!found) throw new Error('the project of a chat is missing');
  const { wanted, session, listens, asked } = found;
  // Who only leaves or comes back waits for no operator.
  if (session || !wanted || asked) return { session, listens, asked };
  return { session: await openSession(context, said.chat, {}, now), listens: false, asked };
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
  { message: { text, own, url: given, payload, file, subject, ref } }: MessageEvent,
): Promise<IncomingMessage['content']> {
  const url = file ? await expectFile(context, channel, file) : given;
  const added = { ...(own !== undefined && { own }), ...(subject && { subject }), ...(ref && { ref }) };
  return Object.fromEntries(
    Object.entries({ text, url, payload, ...added }).filter(([, value]) => value !== null),
  );
}
