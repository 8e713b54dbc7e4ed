import type { EventType } from '../../../events/types.ts';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { lastUuid, nilUuid } from '../../../platform/id.ts';
import type { EventState } from './schema.ts';

/** Selects an endpoint's events: those of `[from, to)`, of one kind, in one state. */
export type Wanted = {
  projectId: string;
  endpointId: string;
  from: Date;
  to: Date;
  type: EventType | null;
  state: EventState | null;
};

/** The rows to search. Given-up events have their own index. All others are searched in order. */
const endpointEvents = (sql: Sql, { projectId, endpointId, from, to, state }: Wanted): Fragment => sql`
  events where project_id = ${projectId} and endpoint_id = ${endpointId}
    and id >= uuid_floor(${from}) and id < uuid_floor(${to})
    ${state === 'FAILED' ? sql`and state = 'FAILED'` : sql``}`;

const isWanted = (sql: Sql, { type, state }: Wanted): Fragment => sql`
  (${type}::text is null or event_type = ${type}) and (${state}::text is null or state = ${state})`;

export type EventRow = {
  id: string;
  event_type: EventType;
  state: EventState;
  chat_id: string;
  chat_name: string | null;
  attempts: number;
  created_at: Date;
  finished_at: Date | null;
  last_status: number | null;
};

/** The events found, and the id of the last row that was read. Null at the end. */
type Found<Row> = { rows: Row[]; lookedTo: string | null };

/**
 * Up to `atMost` events, the newest first, among the `among` rows before the id `before`. An event's attempts are from its
 * creation to its end. A day more allows for clocks, and leaves out all other months.
 */
export async function findEvents(
  sql: Sql,
  wanted: Wanted,
  { before, atMost, among }: { before: string | null; atMost: number; among: number },
): Promise<Found<EventRow>> {
  const rows = await sql<(EventRow & { looked_to: string | null })[]>`
    with looked as (
      select id, event_type, state, chat_id, attempts, created_at, finished_at
      from ${endpointEvents(sql, wanted)} and id < ${before ?? lastUuid}
      order by id desc limit ${among}
    ),
    page as (select * from looked where ${isWanted(sql, wanted)} order by id desc limit ${atMost}),
    bound as (
      select case when (select count(*) from looked) = ${among} then (select id from looked order by id limit 1) end
        as looked_to
    )
    select page.*, chats.name as chat_name, bound.looked_to, (
      select status from attempts
      where attempts.project_id = ${wanted.projectId} and event_id = page.id and endpoint_id = ${wanted.endpointId}
        and attempts.id >= uuid_floor(page.created_at - interval '1 day')
        and attempts.id < uuid_floor(coalesce(page.finished_at, timestamptz '9999-01-01') + interval '1 day')
      order by attempts.id desc limit 1
    ) as last_status
    from bound left join page on true
    left join chats on chats.project_id = ${wanted.projectId} and chats.id = page.chat_id
    order by page.id desc`;
  return { rows: rows.filter(({ id }) => id !== null), lookedTo: rows[0]?.looked_to ?? null };
}

/** The ids of events in their order, of the `among` rows after the id `after`. */
export async function findIds(
  sql: Sql,
  wanted: Wanted,
  { after, among }: { after: string | null; among: number },
): Promise<Found<string>> {
  const [row] = await sql<[{ ids: string[]; looked_to: string | null }]>`
    with looked as (
      select id, event_type, state from ${endpointEvents(sql, wanted)} and id > ${after ?? nilUuid}
      order by id limit ${among}
    )
    select array(select id from looked where ${isWanted(sql, wanted)} order by id) as ids,
      case when (select count(*) from looked) = ${among} then (select id from looked order by id desc limit 1) end
        as looked_to`;
  return { rows: row.ids, lookedTo: row.looked_to };
}

/** The number of the same events. */
export async function countEvents(
  sql: Sql,
  wanted: Wanted,
  { after, among }: { after: string | null; among: number },
): Promise<{ count: number; lookedTo: string | null }> {
  const [row] = await sql<[{ count: number; looked_to: string | null }]>`
    with looked as (
      select id, event_type, state from ${endpointEvents(sql, wanted)} and id > ${after ?? nilUuid}
      order by id limit ${among}
    )
    select (select count(*) from looked where ${isWanted(sql, wanted)}) as count,
      case when (select count(*) from looked) = ${among} then (select id from looked order by id desc limit 1) end
        as looked_to`;
  return { count: row.count, lookedTo: row.looked_to };
}

export type EventDetailsRow = Omit<EventRow, 'last_status' | 'attempts'> & { body: string };

export async function findEvent(
  sql: Sql,
  { projectId, endpointId, eventId }: { projectId: string; endpointId: string; eventId: string },
): Promise<EventDetailsRow | undefined> {
  const [row] = await sql<EventDetailsRow[]>`
    select events.id, event_type, state, chat_id, chats.name as chat_name, events.created_at, finished_at, body
    from events left join chats on chats.project_id = events.project_id and chats.id = chat_id
    where events.project_id = ${projectId} and endpoint_id = ${endpointId} and events.id = ${eventId}`;
  return row;
}

export type AttemptRow = {
  id: string;
  started_at: Date;
  duration_ms: number;
  status: number | null;
  error: string | null;
  answer: string;
};

/** The newest 50 attempts to deliver an event to an endpoint, the newest first. */
export function findAttempts(
  sql: Sql,
  { projectId, endpointId, eventId }: { projectId: string; endpointId: string; eventId: string },
): Promise<AttemptRow[]> {
  return sql<AttemptRow[]>`
    select id, started_at, duration_ms, status, error, answer from attempts
    where project_id = ${projectId} and event_id = ${eventId} and endpoint_id = ${endpointId}
    order by id desc limit 50`;
}
