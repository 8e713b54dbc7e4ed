import type { Member } from '../../access/auth/member.ts';
import { actionFor } from '../../platform/http/action.ts';
import { sendEvents } from '../../platform/http/event-stream.ts';
import type { ChatFeed } from './feed.ts';
import { LiveQuery } from './schema.ts';

/** A transaction id of the database has 64 bits. */
const isCursor = (text: string): boolean => /^\d{1,20}$/.test(text) && BigInt(text) < 2n ** 64n;

/**
 * GET /chat-center/api/live/: the chats' news, as server-sent events with the data of `LiveEvents`. `since`, or
 * `Last-Event-ID`, resumes after a gap. Nothing is lost, and some events may be repeated.
 */
export const liveChats = (feed: ChatFeed) =>
  actionFor<Member>()({
    query: LiveQuery,
    handle: async ({ principal, query, request, reply }) => {
      const given = request.headers['last-event-id'] ?? query.since;
      const since = typeof given === 'string' && isCursor(given) ? given : null;
      return sendEvents(request, reply, (stream) => feed.connect(principal, since, stream));
    },
  });
