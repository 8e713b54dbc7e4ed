import type { Member } from '../../../access/auth/member.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { pageOf } from '../../../platform/http/pages.ts';
import { loadWebhook } from './load.ts';
import { type EventRow, findEvents, type Wanted } from './log-store.ts';
import { presentEvent } from './present.ts';
import { wantedOf } from './rules.ts';
import { EventFilters, EventPage } from './schema.ts';

/** The number of rows that each statement of a request reads: most pages are complete after the first. */
const steps = [1_000, ...Array.from({ length: 20 }, () => 5_000)];

/** GET /console/api/webhooks/{uuid}/events/: the log, newest first. Takes `limit`. */
export const listEvents = actionFor<Member>()({
  params: UuidParams,
  query: EventFilters,
  response: EventPage,
  line: 'searches',
  load: loadWebhook,
  handle: async ({ context, principal: { projectId }, query, loaded, request }) => {
    const wanted = wantedOf({ projectId, endpointId: loaded.id }, query);
    const { rows, next } = await searchEvents(
      context.sql,
      wanted,
      query.before ?? null,
      pageOf(request).limit,
    );
    return { results: rows.map(presentEvent), next };
  },
});

export async function searchEvents(sql: Sql, wanted: Wanted, start: string | null, limit: number) {
  const rows: EventRow[] = [];
  let before = start;
  for (const among of steps) {
    const found = await findEvents(sql, wanted, { before, among, atMost: limit - rows.length });
    rows.push(...found.rows);
    const last = rows.at(-1);
    if (last && rows.length === limit) return { rows, next: last.id };
    before = found.lookedTo;
    if (before === null) break;
  }
  return { rows, next: before };
}
