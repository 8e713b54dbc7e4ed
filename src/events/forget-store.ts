import type { Sql } from '../platform/database/database.ts';

/** How long events for a disabled webhook are kept. */
const keptForMs = 7 * 24 * 3_600_000;
const forgottenAtOnce = 5_000;

/** In parts: a mailing makes a million of them. */
export async function forgetKept(sql: Sql, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptForMs);
  const forgetSome = () =>
    sql`
    with part as (
      select project_id, endpoint_id, id from events
      where state = 'KEPT' and id < uuid_floor(${before}) order by id limit ${forgottenAtOnce}
    )
    delete from events using part
    where events.project_id = part.project_id and events.endpoint_id = part.endpoint_id and events.id = part.id`.count();
  while ((await forgetSome()) === forgottenAtOnce);
}

/** Deletes some of an endpoint's undelivered events, and returns their number. */
export async function deleteWaitingEvents(sql: Sql, endpointId: string, atMost: number): Promise<number> {
  return await sql`
    with part as (
      select project_id, endpoint_id, id from events
      where endpoint_id = ${endpointId} and state in ('PENDING', 'KEPT') limit ${atMost}
    )
    delete from events using part
    where events.project_id = part.project_id and events.endpoint_id = part.endpoint_id and events.id = part.id`.count();
}

/** The same for the chats' queues, which every writer locks in this order. */
export async function deleteQueues(sql: Sql, endpointId: string, atMost: number): Promise<number> {
  return await sql`
    with part as (
      select endpoint_id, chat_id from event_queues where endpoint_id = ${endpointId}
      order by endpoint_id, chat_id limit ${atMost} for update
    )
    delete from event_queues using part
    where event_queues.endpoint_id = part.endpoint_id and event_queues.chat_id = part.chat_id`.count();
}
