import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { countDay } from './count-day.ts';
import { findFailures, type OutcomeCount } from './deliveries-store.ts';
import { loadOwnChannel } from './load.ts';
import { presentFailure } from './present.ts';
import { Deliveries, FailureList, type Hour } from './schema.ts';

const hourMs = 3_600_000;
const hours = 24;
const shownFailures = 10;

/** GET /console/api/channels/{uuid}/deliveries/: the results of the messages of the last 24 hours. */
export const readDeliveries = actionFor<Member>()({
  params: UuidParams,
  response: Deliveries,
  line: 'searches',
  load: loadOwnChannel,
  handle: async ({ context: { sql, clock }, principal: { projectId }, loaded }) => {
    const thisHour = Math.floor(clock.now().getTime() / hourMs);
    const first = (thisHour - hours + 1) * hourMs;
    const day = { projectId, channelId: loaded.id, from: new Date(first) };
    const { counts, completeFrom } = await countDay(sql, day);
    return {
      hours: byHour(counts, first),
      is_cut: completeFrom !== null,
      complete_from: (completeFrom ?? day.from).toISOString(),
    };
  },
});

function byHour(counts: OutcomeCount[], first: number): Hour[] {
  const table = Array.from({ length: hours }, (_, hour) => ({
    at: new Date(first + hour * hourMs).toISOString(),
    sent: 0,
    delivered: 0,
    read: 0,
    undelivered: 0,
    error: 0,
  }));
  for (const { hour, state, count } of counts) {
    // A recent failure counts at the end of its lease, which may be in the next hour.
    const row = table[Math.min(Math.max(hour, 0), hours - 1)];
    if (row) row[column[state]] += count;
  }
  return table;
}

const column = {
  SENT: 'sent',
  DELIVERED: 'delivered',
  READ: 'read',
  UNDELIVERED: 'undelivered',
  ERROR: 'error',
} as const;

/** GET /console/api/channels/{uuid}/failures/: the latest failed messages, with their reasons. */
export const listFailures = actionFor<Member>()({
  params: UuidParams,
  response: FailureList,
  load: loadOwnChannel,
  handle: async ({ context, loaded: { id } }) => ({
    results: (await findFailures(context.sql, id, shownFailures)).map(presentFailure),
  }),
});
