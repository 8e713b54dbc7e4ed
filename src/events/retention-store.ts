import type { Fragment, Sql } from '../platform/database/database.ts';

/** Whether an event may be removed. One that waits, or that is kept for a disabled webhook, stays. */
export const isFinished = (sql: Sql, event: Fragment) => sql`${event}.state in ('DELIVERED', 'FAILED')`;

/** Whether a partition of `events` has an event that stays. Reads indexes only. */
export const partHasUnsent = (sql: Sql, part: Fragment) => sql`
  exists (select from ${part} where state = 'PENDING') or exists (select from ${part} where state = 'KEPT')`;

type Span = { from: Date; to: Date };

/** A statement that deletes the `given` events, where they are still as given. */
export const deletedEvents = (sql: Sql, given: Fragment, { from, to }: Span) => sql`
  delete from events using ${given} as given
  where events.project_id = given.project_id and events.endpoint_id = given.endpoint_id and events.id = given.id
    and events.id >= uuid_floor(${from}) and events.id < uuid_floor(${to})
    and events is not distinct from given and ${isFinished(sql, sql`events`)}
  returning events.project_id`;

/** The same for attempts. */
export const deletedAttempts = (sql: Sql, given: Fragment, { from, to }: Span) => sql`
  delete from attempts using ${given} as given
  where attempts.project_id = given.project_id and attempts.event_id = given.event_id and attempts.id = given.id
    and attempts.id >= uuid_floor(${from}) and attempts.id < uuid_floor(${to})
  returning attempts.project_id`;
