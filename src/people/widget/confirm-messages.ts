import { receiveEvents } from '../../messaging/chats/receive.ts';
import { actionFor } from '../../platform/http/action.ts';
import { loadForVisitor } from './load.ts';
import { Confirmation, smallBody, WidgetParams } from './schema.ts';
import { seenAmong } from './store.ts';
import type { Visitor } from './visitor.ts';

/** Notes messages as received by the browser, or seen by its client. Messages of other chats are ignored. */
export const confirmMessages = actionFor<Visitor>()({
  params: WidgetParams,
  body: Confirmation,
  bodyLimit: smallBody,
  load: loadForVisitor,
  handle: async ({ context, body: { state, messages }, loaded: { widget, chat } }) => {
    const own = await seenAmong(context.sql, chat, messages);
    await receiveEvents(
      context,
      widget,
      own.map((uuid) => ({ kind: 'receipt', message: { uuid }, state, detail: '' })),
    );
  },
});
