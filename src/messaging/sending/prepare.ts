import type { Channel } from '../../channels/connected/channels.ts';
import type { Adapter } from '../../channels/contract/adapter.ts';
import type { Context } from '../../platform/context.ts';
import { findLastingIds } from '../chats/lasting-ids-store.ts';
import { unsubscribeAddresses } from '../chats/unsubscribe-token.ts';
import { findAnswered } from './answered-store.ts';
import { chatPacing } from './chat-pauses.ts';
import type { ClaimedMessage } from './claim.ts';
import { mailingWriter, type Rendering } from './mailing-messages.ts';
import { isRendered, type Task } from './task.ts';

type Prepare = (messages: ClaimedMessage[], channel: Channel, adapter: Adapter) => Promise<Task[]>;

/** Makes tasks of a channel's claimed messages: their content, their pauses, and what they answer. */
export function taskWriter(context: Context): Prepare {
  const { sql } = context;
  const writeOut = mailingWriter(context);
  const pausesOf = chatPacing(context);
  const unsubscribeUrlFor = unsubscribeAddresses(context.config);

  return async (messages, channel, adapter) => {
    const [renderings, pauses, answered, lasting] = await Promise.all([
      writeOut(messages),
      pausesOf(adapter.limits.chatPauseMs, messages),
      adapter.answers ? findAnswered(sql, messages) : null,
      adapter.lastingIds ? findLastingIds(sql, messages) : null,
    ]);
    return messages.map((message) => {
      const rendering = renderings.get(message.id);
      const answers = answered?.get(message.chat_id);
      const lastingIds = lasting?.get(message.chat_id);
      const pauseMs = pauses.get(message.id) ?? 0;
      const leaving = message.mailing_id !== null && {
        unsubscribeUrl: () => unsubscribeUrlFor(leavingOf(message)),
      };
      return {
        message: written(message, rendering),
        channel,
        rendering,
        answers,
        lastingIds,
        pauseMs,
        ...leaving,
      };
    });
  };
}

const leavingOf = ({ project_id: projectId, chat_id: chatId, topic_id: topicId }: ClaimedMessage) => ({
  projectId,
  chatId,
  topicId,
});

/** The message with its rendered content. */
const written = (message: ClaimedMessage, rendering: Rendering | undefined): ClaimedMessage =>
  isRendered(rendering)
    ? { ...message, content_type: rendering.rendered.type, content: rendering.rendered }
    : message;
