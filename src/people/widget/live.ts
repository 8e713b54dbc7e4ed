import { actionFor } from '../../platform/http/action.ts';
import { strangerAddress } from '../../platform/http/caller-address.ts';
import { eventText, sendEvents } from '../../platform/http/event-stream.ts';
import type { Places } from '../../platform/places.ts';
import type { LiveFeed } from './feed.ts';
import { admitReading, connectionRooms } from './limits.ts';
import { isVouchedFor, loadForVisitor } from './load.ts';
import { presentMessage } from './present.ts';
import { LiveQuery, WidgetParams } from './schema.ts';
import type { MessageRow } from './store.ts';
import type { Visitor } from './visitor.ts';

/**
 * The chat's messages as server-sent events. `since` resumes after a gap, or `Last-Event-ID` from a client that can
 * set headers. Nothing is lost, and some messages may be repeated.
 */
export const live = (feed: LiveFeed, places: Places) =>
  actionFor<Visitor>()({
    params: WidgetParams,
    query: LiveQuery,
    load: loadForVisitor,
    reserve: ({ context, loaded: { chat } }) => admitReading(context, chat),
    handle: async ({ context, principal, query, loaded: { chat }, request, reply }) => {
      const known = sinceOf(request.headers['last-event-id'] ?? query.since) ?? context.clock.now();
      return sendEvents(request, reply, ({ write, ...stream }) => {
        const leave = places.take(
          1,
          connectionRooms({ ...chat, address: strangerAddress(request, context.config.trustedProxies) }),
        );
        const disconnect =
          leave &&
          feed.connect(chat, known, {
            ...stream,
            isWelcome: (widget) => widget !== undefined && isVouchedFor(principal, widget),
            news: (message) => write(eventOf(message)),
            // Typing is old when a slow browser has read what comes before.
            typing: (author) => stream.isFull() || write(eventText('typing', { author })),
          });
        if (!disconnect) leave?.();
        return (
          disconnect &&
          (() => {
            disconnect();
            leave();
          })
        );
      });
    },
  });

const eventOf = (message: MessageRow): string =>
  eventText('message', presentMessage(message), String(message.at.getTime()));

function sinceOf(given: string | string[] | undefined): Date | null {
  return typeof given === 'string' && /^\d{1,14}$/.test(given) ? new Date(Number(given)) : null;
}
