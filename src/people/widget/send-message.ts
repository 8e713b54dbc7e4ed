import type { InboundEvent } from '../../channels/contract/inbound.ts';
import { isImage } from '../../messaging/attachments/media-type.ts';
import { takeAttachment } from '../../messaging/attachments/take.ts';
import { receiveEvents } from '../../messaging/chats/receive.ts';
import type { Context } from '../../platform/context.ts';
import { actionFor } from '../../platform/http/action.ts';
import { strangerAddress } from '../../platform/http/caller-address.ts';
import { invalid, messages } from '../../platform/problem.ts';
import { admitMessage } from './limits.ts';
import { loadForVisitor } from './load.ts';
import { presentMessage } from './present.ts';
import { externalIdOf, uploaderOf } from './rules.ts';
import { NewMessage, smallBody, WidgetMessage, WidgetParams } from './schema.ts';
import { type ChatAddress, findOwnMessage } from './store.ts';
import type { Visitor } from './visitor.ts';

/** The client writes, presses a button, or sends a file. A repeated `echo_id` gets the first answer. */
export const sendMessage = actionFor<Visitor>()({
  params: WidgetParams,
  body: NewMessage,
  bodyLimit: smallBody,
  response: WidgetMessage,
  status: 201,
  load: loadForVisitor,
  reserve: ({ context, loaded: { chat }, request }) =>
    admitMessage(
      context,
      { ...chat, address: strangerAddress(request, context.config.trustedProxies) },
      chat,
    ),
  handle: async ({ context, principal, body, loaded: { widget, chat } }) => {
    const [stored] = await receiveEvents(context, widget, [
      {
        kind: 'message',
        chat: { externalId: chat.address, ...(principal.name && { name: principal.name }) },
        message: {
          externalId: externalIdOf(chat.address, body.echo_id),
          ...(await contentOf(context, chat, body)),
        },
      },
    ]);
    const message = stored && (await findOwnMessage(context.sql, chat, stored.messageUuid));
    if (!message) throw new Error('a message that was just stored is missing');
    return presentMessage(message);
  },
});

type Content = Omit<Extract<InboundEvent, { kind: 'message' }>['message'], 'externalId'>;

async function contentOf(
  context: Context,
  chat: ChatAddress,
  { type = 'text', text, payload, attachment: uuid }: NewMessage,
): Promise<Content> {
  if (uuid === undefined) {
    if (text === undefined) throw invalid('text', messages.required);
    if (text.trim() === '') throw invalid('text', messages.blank);
    return { type, text, url: null, payload: payload ?? null };
  }
  const { projectId } = chat;
  const attachment = await takeAttachment(context, { projectId, uuid, by: uploaderOf(chat) });
  if (attachment === null) throw invalid('attachment', messages.missingObject(uuid));
  const { type: mediaType, url } = attachment;
  return { type: isImage(mediaType) ? 'image' : 'document', text: text ?? null, url, payload: null };
}
