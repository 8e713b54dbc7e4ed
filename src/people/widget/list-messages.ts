import { actionFor } from '../../platform/http/action.ts';
import { admitReading } from './limits.ts';
import { loadForVisitor } from './load.ts';
import { presentMessage } from './present.ts';
import { readPlace, writePlace } from './rules.ts';
import { History, HistoryQuery, WidgetParams } from './schema.ts';
import { findHistory } from './store.ts';
import type { Visitor } from './visitor.ts';

const pageSize = 30;

/** A page of the chat's history: the last one, or the one before `before`. */
export const listMessages = actionFor<Visitor>()({
  params: WidgetParams,
  query: HistoryQuery,
  response: History,
  load: loadForVisitor,
  reserve: ({ context, loaded: { chat } }) => admitReading(context, chat),
  handle: async ({ context, query: { before }, loaded: { chat } }) => {
    const now = context.clock.now();
    const found = await findHistory(context.sql, chat, before ? readPlace(before) : null, pageSize + 1);
    const page = found.slice(0, pageSize);
    const oldest = page.at(-1);
    return {
      messages: page.reverse().map(presentMessage),
      older: oldest && found.length > pageSize ? writePlace(oldest) : null,
      live_since: String(now.getTime()),
    };
  },
});
