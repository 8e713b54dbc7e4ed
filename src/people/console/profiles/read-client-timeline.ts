import type { Member } from '../../../access/auth/member.ts';
import { byUuid } from '../../../clients/profiles/load.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { Timeline, type TimelineEntry, TimelineQuery } from './schema.ts';
import { type EntryRow, timelinePage } from './timeline-store.ts';

const pageLength = 50;
const latest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** GET /console/api/profiles/{uuid}/timeline/: all events in the chats of a client, newest first. */
export const readClientTimeline = actionFor<Member>()({
  params: UuidParams,
  query: TimelineQuery,
  response: Timeline,
  load: byUuid,
  handle: async ({ context: { sql }, principal: { projectId }, query: { before = latest }, loaded }) => {
    const rows = await timelinePage(sql, projectId, loaded.id, before, pageLength + 1);
    const shown = rows.slice(0, pageLength);
    return {
      results: shown.map(presentEntry),
      next: rows.length > pageLength ? (shown.at(-1)?.id ?? null) : null,
    };
  },
});

const presentEntry = ({
  chat_id,
  platform,
  mailing_id,
  mailing_name,
  at,
  replied_at,
  clicked_at,
  jumped_at,
  ...rest
}: EntryRow): TimelineEntry => ({
  ...rest,
  at: at.toISOString(),
  chat: { uuid: chat_id, platform },
  mailing: mailing_id !== null && mailing_name !== null ? { uuid: mailing_id, name: mailing_name } : null,
  replied_at: replied_at?.toISOString() ?? null,
  clicked_at: clicked_at?.toISOString() ?? null,
  jumped_at: jumped_at?.toISOString() ?? null,
});
