import { outboxColumns, outboxCtes } from '../../events/outbox.ts';
import type { Rendered } from '../../mailings/render.ts';
import type { Sql } from '../../platform/database/database.ts';
import { fewRows } from '../../platform/database/few-rows.ts';
import type { Renewed } from '../../platform/pump/leases.ts';
import type { Due } from '../../platform/pump/suspects.ts';
import { countedMoves, countedWaits, reactionsOf } from '../messages/mailing-counts-store.ts';
import { recordedMessages, renewedMessages, suspects } from '../messages/moves-store.ts';

/** A result. Keys without a value are left out, because reading all of them takes PostgreSQL twice the time. */
export type RecordedMessage = {
  project_id: string;
  id: string;
  lease: string;
  state: string;
  state_detail?: string;
  /** When a retry is due. In a final state, the end of the last call. */
  due_at: string;
  /** 1 if it does not count as an attempt. */
  uncount?: number;
  provider_id?: string;
  /** For a failed message: no call of it can have been received. */
  unheard?: boolean;
  /** The sent content, if the row does not have it yet. */
  rendered?: Rendered;
  /** For a mailing's message: it waits until quiet hours end. */
  quiet_until?: string;
  /** The trace that began with this call. */
  trace?: string;
};

/**
 * Every active channel with queued messages, and the time at which its next row and its pace allow a claim. The query
 * jumps in the queue's index from one channel's lane to the next. Its cost therefore grows with the waiting channels
 * and the running calls, and not with all channels or the length of a queue.
 */
export function dueChannels(sql: Sql, now: Date): Promise<Due[]> {
  return sql<Due[]>`
    with recursive head as (
      (
        select channel_id, lane, due_at, leased_until from messages
        where is_queued and channel_id is not null
        order by channel_id, lane, due_at limit 1
      )
      union all
      select next.* from head cross join lateral (
        select channel_id, lane, due_at, leased_until from messages
        where is_queued and (channel_id, lane) > (head.channel_id, head.lane)
        order by channel_id, lane, due_at limit 1
      ) next
    ),
    -- The end of a lease that lapses, or the first row without one.
    next as (
      select channel_id, lane, case when leased_until > ${now} then least(leased_until, (
          select due_at from messages
          where channel_id = head.channel_id and lane = head.lane and is_queued
            and (leased_until is null or leased_until <= ${now})
          order by due_at limit 1
        )) else due_at end as due_at
      from head
    )
    select pace.channel_id as key, pace.project_id as owner, next.lane = ${suspects} as "areSuspects",
      greatest(
        min(next.due_at),
        pace.resume_at,
        case when pace.rate is null then null else
          pace.tokens_at + make_interval(secs => (greatest(1, pace.rate / 10) - pace.tokens) / pace.rate)
        end
      ) as "dueAt"
    from next
    join channel_pace pace on pace.channel_id = next.channel_id
    join channels on channels.project_id = pace.project_id and channels.id = pace.channel_id and channels.state = 'active'
    group by pace.project_id, pace.channel_id, "areSuspects"
    having min(next.due_at) is not null`;
}

type Leased = { project_id: string; id: string; lease: string };

/**
 * Renews leases that are still held, and returns their positions. Rows are locked in the order in which results lock
 * them.
 */
export async function renewLeases(sql: Sql, leased: readonly Leased[], until: Date): Promise<Renewed[]> {
  const rows = leased.map(({ project_id, id, lease }, position) => ({ project_id, id, lease, position }));
  return await sql<Renewed[]>`
    with held as (
      select messages.project_id, messages.id, leased.position
      from ${fewRows(sql, rows, 'leased', sql`project_id uuid, id uuid, lease uuid, position int`)}
      join messages on messages.project_id = leased.project_id and messages.id = leased.id
      where messages.lease = leased.lease and messages.state = 'IN_PROCESS'
      order by messages.id for update of messages
    )
    ${renewedMessages(sql, sql`held`, until)}
    returning given.position`;
}

const recordedColumns = (sql: Sql) => sql`
  project_id uuid, id uuid, lease uuid, state text, state_detail text, due_at timestamptz,
  uncount smallint, provider_id text, unheard boolean, rendered jsonb, quiet_until timestamptz,
  trace text`;

/** An event belongs to the result with its lease: there may be two of one message. */
type ResultEvent = { message_id: string; lease: string } & object;

/** Records the results of claimed messages, with their events, and counts them. A lost lease writes nothing. */
export async function recordMessages(
  sql: Sql,
  messages: RecordedMessage[],
  events: ResultEvent[],
  now: Date,
): Promise<void> {
  // Receipts lock in this order too. Two statements with different orders would sometimes wait for each other.
  const sorted = messages.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const rests = messages.some(({ quiet_until }) => quiet_until !== undefined);
  const results = sql`(select * from ${fewRows(sql, sorted, 'results', recordedColumns(sql))})`;
  await sql`
    with moved as (
      ${recordedMessages(sql, results)}
        and messages.lease = given.lease and messages.state = 'IN_PROCESS'
      returning messages.id, given.lease, messages.project_id, messages.mailing_id, messages.variant, 'IN_PROCESS' as before, given.state as after,
        given.quiet_until as until, ${reactionsOf(sql)}
    ),
    ${rests ? sql`rested as (${countedWaits(sql, sql`(select * from moved where until is not null)`)}),` : sql``}
    ${events.length > 0 ? sql`${announcedCtes(sql, events, now)},` : sql``}
    mailing_counted as (${countedMoves(sql, sql`moved`)})
    select count(*) from mailing_counted`;
}

/** The events of the rows in `moved`, of those that moved. */
const announcedCtes = (sql: Sql, events: ResultEvent[], now: Date) => sql`
  announced as (
    select event.* from jsonb_to_recordset(${sql.json(events)})
      as event (message_id uuid, lease uuid, ${outboxColumns(sql)})
    join moved on moved.id = event.message_id and moved.lease = event.lease
  ),
  ${outboxCtes(sql, sql`announced`, now)}`;
