import type { Sql } from '../storage/database.ts';

type Range = { projectId: string; endpointId: string; from: Date; to: Date };

/** Ids of the events that happened in `[from, to)`, in their order, from the one after `after` on. */
export async function eventsBetween(
  sql: Sql,
  { projectId, endpointId, from, to, after, atMost }: Range & { after: string | null; atMost: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from events
    where project_id = ${projectId} and endpoint_id = ${endpointId}
      and id > coalesce(${after}::uuid, uuid_floor(${from})) and id < uuid_floor(${to})
    order by id limit ${atMost}`;
  return rows.map(({ id }) => id);
}

/**
 * Lets events wait again, from the beginning of the schedule, and makes their chats due, those with a worker
 * excepted. Returns how many of the events there are.
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
      for key share of endpoints
    ),
    revived as (
      update events set state = 'PENDING', attempts = 0, finished_at = null
      from chosen
      where events.project_id = chosen.project_id and events.endpoint_id = chosen.endpoint_id
        and events.id = chosen.id and events.state <> 'PENDING'
      returning events.id
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

export type AttemptRow = {
  id: string;
  started_at: Date;
  duration_ms: number;
  status: number | null;
  error: string | null;
  answer: string;
};

export function findAttempts(
  sql: Sql,
  { projectId, eventId, endpointId }: { projectId: string; eventId: string; endpointId: string },
): Promise<AttemptRow[]> {
  return sql<AttemptRow[]>`
    select id, started_at, duration_ms, status, error, answer from attempts
    where project_id = ${projectId} and event_id = ${eventId} and endpoint_id = ${endpointId}
    order by id desc`;
}
