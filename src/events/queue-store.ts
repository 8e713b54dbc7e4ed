import type { Sql } from '../platform/database/database.ts';
import { fewRows } from '../platform/database/few-rows.ts';
import type { Renewed } from '../platform/pump/leases.ts';
import type { Lane } from '../platform/pump/pump.ts';

export type WaitingEvent = {
  chat_id: string;
  id: string;
  body: string;
  attempts: number;
  trace: string | null;
};

/** The changes of one attempt. */
export type RecordRow = {
  endpoint_id: string;
  chat_id: string;
  lease: string;
  /** Null gives the chat back. A new lease keeps it for its next event, and makes a repeated row ineffective. */
  next_lease: string | null;
  /** The time at which the chat next needs a worker. */
  due_at: Date;
  project_id: string;
  event_id: string;
  state: 'PENDING' | 'DELIVERED' | 'FAILED';
  attempt_id: string;
  started_at: Date;
  duration_ms: number;
  status: number | null;
  error: string | null;
  answer: string;
};

type EndpointLane = Lane & { isFailing: boolean };

/**
 * Every enabled endpoint with a waiting event, and the due time of its first chat. The index is walked from one
 * endpoint to the next. The cost depends on the endpoints, not on their queues.
 */
export function dueEndpoints(sql: Sql): Promise<EndpointLane[]> {
  return sql<EndpointLane[]>`
    with recursive first as (
      (select endpoint_id, due_at from event_queues where waiting > 0 order by endpoint_id, due_at limit 1)
      union all
      select next.endpoint_id, next.due_at from first cross join lateral (
        select endpoint_id, due_at from event_queues
        where waiting > 0 and endpoint_id > first.endpoint_id
        order by endpoint_id, due_at limit 1
      ) next
    )
    select first.endpoint_id as key, endpoints.project_id as owner, first.due_at as "dueAt", endpoints.failing_since is not null as "isFailing"
    from first join endpoints on endpoints.id = first.endpoint_id
    where endpoints.disabled_at is null`;
}

/** `lease` names the claim, and is valid until `leaseUntil`. */
export type Claim = { endpointId: string; lease: string; leaseUntil: Date };

/** Leases the queues of up to `free` due chats of an endpoint, the longest due first. Returns their number. */
export async function claimQueues(
  sql: Sql,
  { endpointId, lease, leaseUntil }: Claim,
  free: number,
  now: Date,
): Promise<number> {
  const count = await sql`
    with due as (
      select endpoint_id, chat_id from event_queues
      where endpoint_id = ${endpointId} and waiting > 0 and due_at <= ${now}
        and exists (select from endpoints where id = ${endpointId} and disabled_at is null)
      order by due_at limit ${free} for update skip locked
    )
    update event_queues queue set lease = ${lease}, due_at = ${leaseUntil}
    from due where queue.endpoint_id = due.endpoint_id and queue.chat_id = due.chat_id`.count();
  return count;
}

/**
 * The first events of each leased chat, in order. This is a separate statement from the lease. One statement for both
 * would see the events from before its lease, including events that another worker has delivered.
 */
export function claimedEvents(
  sql: Sql,
  { endpointId, lease, leaseUntil }: Claim,
  ofEach: number,
): Promise<WaitingEvent[]> {
  return sql<WaitingEvent[]>`
    select event.chat_id, event.id, event.body, event.attempts, event.trace
    from event_queues queue
    cross join lateral (
      select chat_id, seq, id, body, attempts, trace from events
      where endpoint_id = ${endpointId} and chat_id = queue.chat_id and state = 'PENDING'
      order by seq limit ${ofEach}
    ) event
    where queue.endpoint_id = ${endpointId} and queue.due_at = ${leaseUntil} and queue.waiting > 0
      and queue.lease = ${lease}
    order by event.chat_id, event.seq`;
}

type Leased = Pick<RecordRow, 'endpoint_id' | 'chat_id' | 'lease'>;

/**
 * Renews leases that are still held, and returns the positions of these. Queues are locked in the same order as by
 * results.
 */
export async function renewQueues(sql: Sql, leased: readonly Leased[], until: Date): Promise<Renewed[]> {
  const rows = leased.map((queue, position) => ({ ...queue, position }));
  return await sql<Renewed[]>`
    with held as (
      select queue.endpoint_id, queue.chat_id, leased.position
      from ${fewRows(sql, rows, 'leased', sql`endpoint_id uuid, chat_id uuid, lease uuid, position int`)}
      join event_queues queue on queue.endpoint_id = leased.endpoint_id and queue.chat_id = leased.chat_id
      where queue.lease = leased.lease
      order by queue.endpoint_id, queue.chat_id for update of queue
    )
    update event_queues queue set due_at = ${until} from held
    where queue.endpoint_id = held.endpoint_id and queue.chat_id = held.chat_id
    returning held.position`;
}

const recordColumns = (sql: Sql) => sql`
  endpoint_id uuid, chat_id uuid, lease uuid, next_lease uuid, due_at timestamptz, project_id uuid, event_id uuid,
  state text, attempt_id uuid, started_at timestamptz, duration_ms integer, status smallint, error text, answer text`;

/**
 * Records attempts with the new states of their events, and updates the chats' queues. An empty queue is deleted. A
 * lost lease or a repeated batch writes nothing. Returns the attempts whose leases held. Queues are locked in the same
 * order as by writers of events. They are changed relative to concurrent changes.
 */
export async function recordAttempts(sql: Sql, rows: RecordRow[], now: Date): Promise<Set<string>> {
  const written = await sql<{ attempt_id: string }[]>`
    with held as (
      select made.*, queue.waiting - (made.state <> 'PENDING')::int as left_waiting
      from (
        select * from ${fewRows(sql, rows, 'recorded', recordColumns(sql))}
        order by endpoint_id, chat_id
      ) made
      cross join lateral (
        select lease, waiting from event_queues
        where endpoint_id = made.endpoint_id and chat_id = made.chat_id
        for update
      ) queue
      where queue.lease = made.lease
    ),
    released as (
      update event_queues queue set
        waiting = held.left_waiting,
        due_at = held.due_at,
        lease = held.next_lease
      from held
      where queue.endpoint_id = held.endpoint_id and queue.chat_id = held.chat_id and held.left_waiting > 0
    ),
    emptied as (
      delete from event_queues queue using held
      where queue.endpoint_id = held.endpoint_id and queue.chat_id = held.chat_id and held.left_waiting = 0
    ),
    moved as (
      update events set state = held.state, attempts = events.attempts + 1,
        finished_at = case when held.state <> 'PENDING' then ${now}::timestamptz end
      from held
      where events.project_id = held.project_id and events.endpoint_id = held.endpoint_id
        and events.id = held.event_id
    )
    insert into attempts (project_id, id, endpoint_id, event_id, started_at, duration_ms, status, error, answer)
    select project_id, attempt_id, endpoint_id, event_id, started_at, duration_ms, status, error, answer from held
    returning id as attempt_id`;
  return new Set(written.map(({ attempt_id }) => attempt_id));
}
