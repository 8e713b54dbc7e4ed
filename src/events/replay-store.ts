import type { Sql } from '../platform/database/database.ts';

/**
 * Requeues events from the beginning of the retry schedule. Makes their chats due, except those with a worker. The
 * ids are sorted. Returns how many of the events exist.
 */
export async function replayEvents(
  sql: Sql,
  { projectId, endpointId, eventIds }: { projectId: string; endpointId: string; eventIds: string[] },
  now: Date,
): Promise<number> {
  const [{ found }] = await sql<[{ found: number }]>`
    with chosen as (
      select events.project_id, events.endpoint_id, events.id, events.chat_id
      from events join endpoints on endpoints.project_id = events.project_id and endpoints.id = events.endpoint_id
      where events.project_id = ${projectId} and events.endpoint_id = ${endpointId}
        and events.id = any (${eventIds}::uuid[])
        -- The bounds restrict the scan, whatever the planner estimates.
        and events.id >= ${eventIds.at(0) ?? null}::uuid and events.id <= ${eventIds.at(-1) ?? null}::uuid
      for key share of endpoints
    ),
    -- Not a join: the planner cannot know how few are chosen, and would read the whole table for them.
    revived as (
      update events set state = 'PENDING', attempts = 0, finished_at = null
      where project_id = ${projectId} and endpoint_id = ${endpointId} and state <> 'PENDING'
        and id = any (array(select id from chosen))
        and id >= ${eventIds.at(0) ?? null}::uuid and id <= ${eventIds.at(-1) ?? null}::uuid
      returning id
    ),
    queues as (
      insert into event_queues as queue (project_id, endpoint_id, chat_id, waiting, due_at)
      select chosen.project_id, chosen.endpoint_id, chosen.chat_id, count(revived.id), ${now}
      from chosen left join revived on revived.id = chosen.id
      group by chosen.project_id, chosen.endpoint_id, chosen.chat_id order by chosen.endpoint_id, chosen.chat_id
      on conflict (endpoint_id, chat_id) do update set
        waiting = queue.waiting + excluded.waiting,
        due_at = case when queue.lease is null then excluded.due_at else queue.due_at end
    )
    select count(*) as found from chosen`;
  return found;
}

/**
 * Makes some of the chats due that wait for a later attempt, and returns their number. Every writer locks them in
 * this order.
 */
export async function hurryQueues(
  sql: Sql,
  endpointId: string,
  { now, atMost }: { now: Date; atMost: number },
): Promise<number> {
  return await sql`
    with late as (
      select endpoint_id, chat_id from event_queues
      where endpoint_id = ${endpointId} and waiting > 0 and due_at > ${now} and lease is null
      order by endpoint_id, chat_id limit ${atMost} for update
    )
    update event_queues set due_at = ${now} from late
    where event_queues.endpoint_id = late.endpoint_id and event_queues.chat_id = late.chat_id`.count();
}
