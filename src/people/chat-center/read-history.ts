import type { Member } from '../../access/auth/member.ts';
import { actionFor } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { loadChat } from './load.ts';
import { presentTimelineEntry } from './present.ts';
import { limitFrom } from './rules.ts';
import { Timeline, TimelineQuery } from './schema.ts';
import { findTimeline } from './timeline-store.ts';

const usualLimit = 50;

/** GET /chat-center/api/chats/{uuid}/messages/: the chat's history, in both directions from an entry, or its end. */
export const readHistory = actionFor<Member>()({
  params: UuidParams,
  query: TimelineQuery,
  response: Timeline,
  load: loadChat,
  handle: async ({ context, query: { before, after, limit: asked }, loaded: { project_id, id } }) => {
    const limit = limitFrom(asked, usualLimit);
    const from = after !== undefined ? { after } : before !== undefined ? { before } : null;
    const found = await findTimeline(context.sql, project_id, id, { from, limit: limit + 1 });
    const isMore = found.length > limit;
    const results = found.slice(0, limit).map(presentTimelineEntry);
    return after !== undefined
      ? { results, has_older: true, has_newer: isMore }
      : { results: results.reverse(), has_older: isMore, has_newer: before !== undefined };
  },
});
