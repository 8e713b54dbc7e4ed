import { receiveEvents } from '../chats/receive.ts';
import { actionFor } from '../http/action.ts';
import { invalid, messages } from '../lib/problem.ts';
import type { floodGate } from './flood.ts';
import { loadForVisitor } from './load.ts';
import { presentMessage } from './present.ts';
import { externalIdOf } from './rules.ts';
import { NewMessage, WidgetMessage, WidgetParams } from './schema.ts';
import { findOwnMessage } from './store.ts';
import type { Visitor } from './visitor.ts';

/** The client writes, or presses a button. The same `echo_id` again answers as the first time. */
export const sendMessage = (admit: ReturnType<typeof floodGate>) =>
  actionFor<Visitor>()({
    params: WidgetParams,
    body: NewMessage,
    response: WidgetMessage,
    status: 201,
    load: loadForVisitor,
    handle: async ({ context, principal, body, loaded: { widget, chat } }) => {
      const { echo_id, type = 'text', text, payload = null } = body;
      if (text.trim() === '') throw invalid('text', messages.blank);
      admit(`${chat.channelId} ${chat.address}`);
      const [stored] = await receiveEvents(context, widget, [
        {
          kind: 'message',
          chat: { externalId: chat.address, ...(principal.name && { name: principal.name }) },
          message: { externalId: externalIdOf(chat.address, echo_id), type, text, url: null, payload },
        },
      ]);
      const message = stored && (await findOwnMessage(context.sql, chat, stored.messageUuid));
      if (!message) throw new Error('a message that was just stored is not there');
      return presentMessage(message);
    },
  });
