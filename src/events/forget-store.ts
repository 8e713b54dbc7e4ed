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

/**
 * Deletes the undelivered ones among the next events of an endpoint after an id. Returns the last id that was looked at.
 * Null at the end.
 */
export async function deleteWaitingEvents(
  sql: Sql,
  { projectId, id: endpointId }: { projectId: string; id: string },
  { after, among }: { after: string; among: number },
): Promise<string | null> {
  const [row] = await sql<[{ looked_to: string | null }]>`
    with looked as materialized (
      select id, state from events
      where project_id = ${projectId} and endpoint_id = ${endpointId} and id > ${after}
      order by id limit ${among}
    ),
    -- Not a join: the planner cannot know how few are looked at, and would read the whole table for them.
    deleted as (
      delete from events
      where project_id = ${projectId} and endpoint_id = ${endpointId} and id > ${after}
        and id <= (select id from looked order by id desc limit 1)
        and id = any (array(select id from looked where state in ('PENDING', 'KEPT')))
        and state in ('PENDING', 'KEPT')
    )
    select case when (select count(*) from looked) = ${among} then (select id from looked order by id desc limit 1) end
      as looked_to`;
  return row.looked_to;
}

/** Deletes some of the chats' queues, which every writer locks in this order, and returns their number. */
export async function deleteQueues(sql: Sql, endpointId: string, atMost: number): Promise<number> {
  return await sql`
    with part as materialized (
      select chat_id from event_queues where endpoint_id = ${endpointId}
      order by endpoint_id, chat_id limit ${atMost} for update
    )
    delete from event_queues where endpoint_id = ${endpointId} and chat_id = any (array(select chat_id from part))`.count();
}
