import { actionFor } from '../http/action.ts';
import { Throttled } from '../lib/problem.ts';
import type { LiveFeed } from './feed.ts';
import { loadForVisitor } from './load.ts';
import { presentMessage } from './present.ts';
import { LiveQuery, WidgetParams } from './schema.ts';
import type { MessageRow } from './store.ts';
import type { Visitor } from './visitor.ts';

/** A browser that reads nothing for so long that this has piled up is cut off; it comes back and resumes. */
const mostUnreadBytes = 256 * 1024;
const retryMs = 2_000;
const fullForSeconds = 30;

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
  // Kept alive after its end it would keep a server that stops waiting for more requests.
  connection: 'close',
};

/**
 * The chat's messages as they come, as server-sent events. `since`, or the `Last-Event-ID` of a client that can set
 * headers, resumes after a gap: nothing is lost, and what may have been told already is told again.
 */
export const live = (feed: LiveFeed) =>
  actionFor<Visitor>()({
    params: WidgetParams,
    query: LiveQuery,
    load: loadForVisitor,
    handle: async ({ context, query, loaded: { chat }, request, reply }) => {
      // An answer to HEAD has nothing after its head, and no end if one waits for what there is to tell.
      if (request.method === 'HEAD') return reply.headers(streamHeaders).send();
      const known = sinceOf(request.headers['last-event-id'] ?? query.since) ?? context.clock.now();
      const { raw } = reply;
      const write = (text: string): void => {
        raw.write(text);
        if (raw.writableLength > mostUnreadBytes) raw.destroy();
      };
      const disconnect = feed.connect(chat, known, {
        news: (messages) => write(messages.map(eventOf).join('')),
        heartbeat: () => write(':\n\n'),
        end: () => raw.end(),
      });
      if (disconnect === null) throw new Throttled(fullForSeconds);
      raw.once('close', disconnect);
      // Whoever has left already is not told of again, and would keep a place for ever.
      if (raw.destroyed) disconnect();
      reply.headers(streamHeaders).hijack();
      for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value ?? '');
      write(`retry: ${retryMs}\n\n`);
      return reply;
    },
  });

const eventOf = (message: MessageRow): string =>
  `event: message\nid: ${message.at.getTime()}\ndata: ${JSON.stringify(presentMessage(message))}\n\n`;

function sinceOf(given: string | string[] | undefined): Date | null {
  return typeof given === 'string' && /^\d{1,14}$/.test(given) ? new Date(Number(given)) : null;
}
