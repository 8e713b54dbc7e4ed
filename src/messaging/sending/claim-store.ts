import { secondsSince, spentPace } from '../../channels/connected/pace-store.ts';
import type { Fragment, Sql } from '../../platform/database/database.ts';
import { fewOf, fewRows } from '../../platform/database/few-rows.ts';
import { countedMoves, reactionsOf } from '../messages/mailing-counts-store.ts';
import type { MessageKey } from '../messages/message-key.ts';
import {
  cancelledMessages,
  givenMessages,
  leasedMessages,
  returnedMessages,
  suspects,
} from '../messages/moves-store.ts';

/** `free` places for messages of a channel. */
export type Asked = { channelId: string; free: number };

/** Claims only suspects with `areSuspects`, and otherwise all others. */
export type Claim = { areSuspects?: boolean; lease: string; now: Date; leaseUntil: Date };

export type LeasedMessage = {
  project_id: string;
  id: string;
  /** Whether an earlier call may have been received: its result is unknown. */
  in_doubt: boolean;
  /** For a mailing's message: the mailing was stopped. If the message is not in doubt, it has no lease. */
  mailing_stopped: boolean;
};

/**
 * Leases due messages of several channels, within the `free` places and the pace of each. Priority comes first,
 * except every tenth place. The channels' pace rows are locked first, so that workers share one bucket for each
 * channel. Messages of a stopped mailing take places too. If they are not in doubt, they are returned without a
 * lease, for `cancelMessages`. A running claim holds off the stop of its mailings.
 */
export function leaseMessages(
  sql: Sql,
  asked: readonly Asked[],
  { areSuspects = false, lease, now, leaseUntil }: Claim,
): Promise<LeasedMessage[]> {
  const places = asked.reduce((sum, { free }) => sum + free, 0);
  return sql<LeasedMessage[]>`
    with ${paceCte(sql, asked, now)},
    waiting as (
      select pace.channel_id, lanes.lane, head.id, due_at, state, mailing_id
      from pace
      cross join (values (0), (1), (${suspects}::int)) as lanes (lane)
      cross join lateral (
        select id, due_at, state, mailing_id from messages
        where channel_id = pace.channel_id and lane = lanes.lane and is_queued and due_at <= ${now}
          and (leased_until is null or leased_until <= ${now}) and not ${isBehind(sql, now)}
        order by due_at limit pace.room for update skip locked
      ) head
      where (lanes.lane = ${suspects}) = ${areSuspects}
    ),
    ${pickedCtes(sql)},
    running as (
      select mailings.project_id, mailings.id
      from (select distinct project_id, mailing_id from picked where mailing_id is not null) as named
      join mailings on mailings.project_id = named.project_id and mailings.id = named.mailing_id
      where mailings.state = 'in_process' and (finish_by is null or finish_by > ${now})
      order by mailings.id for key share of mailings
    ),
    taken as (
      select picked.project_id, picked.id, channel_id, picked.state = 'IN_PROCESS' as in_doubt,
        mailing_id is not null and running.id is null as mailing_stopped
      from picked left join running on running.project_id = picked.project_id and running.id = mailing_id
    ),
    leased as (
      ${leasedMessages(sql, toLease(sql, places), { lease, leaseUntil, now })}
      returning given.channel_id
    ),
    spent as (${spentPace(sql, { pace: sql`pace`, taken: sql`leased` }, now)})
    select project_id, id, in_doubt, mailing_stopped from taken`;
}

/** Whether an operator wrote the message. An index has the same condition. */
const isReply = (sql: Sql, message: Fragment): Fragment =>
  sql`${message}.source in ('connector', 'operator')`;

/** A reply waits for so many calls of the one before it. That one may never be sent. */
const mostCallsBefore = 2;

/**
 * Whether an operator's message has another one before it in its chat, which is being sent or will be tried again soon:
 * a conversation keeps its order.
 */
const isBehind = (sql: Sql, now: Date): Fragment => sql`(
  ${isReply(sql, sql`messages`)} and exists (
    select from messages before
    where before.chat_id = messages.chat_id and before.id < messages.id
      and before.is_queued and ${isReply(sql, sql`before`)}
      and (before.attempts <= ${mostCallsBefore} or before.leased_until > ${now})
  )
)`;

/** `pace`: the channels that may send now, with their `room`. Their rows are locked. */
const paceCte = (sql: Sql, asked: readonly Asked[], now: Date) => sql`
  pace as (
    select refilled.*, case when rate is null then free else least(free, floor(filled)::int) end as room
    from (
      select project_id, channel_pace.channel_id, free, known.rate, claimed, rested,
        least(greatest(1, known.rate / 10), tokens + known.rate * rested) as filled,
        ${secondsSince(sql, sql`window_at`, now)} as ran
      from jsonb_to_recordset(${sql.json(asked)}) as asked ("channelId" uuid, free integer)
      join channel_pace on channel_pace.channel_id = asked."channelId"
      cross join pace_now(channel_pace.rate, rate_ceiling, learnt_until, ${now}) as known (rate)
      cross join lateral (select ${secondsSince(sql, sql`tokens_at`, now)} as rested) as rest
      where resume_at <= ${now}
        and exists (select from channels where channels.id = channel_pace.channel_id and channels.state = 'active')
      order by channel_pace.channel_id for update of channel_pace
    ) refilled
  )`;

/** `picked`: the messages of `waiting` that take a place. Suspects count as the regular lane. */
const pickedCtes = (sql: Sql) => sql`
  shares as (
    select pace.project_id, pace.channel_id, room,
      least(regular, greatest((claimed + room) / 10 - claimed / 10, room - urgent)) as regular_share
    from pace
    join (
      select channel_id, count(*) filter (where lane = 0) as urgent, count(*) filter (where lane > 0) as regular
      from waiting group by channel_id
    ) as counted using (channel_id)
  ),
  picked as (
    select project_id, channel_id, id, state, mailing_id
    from (select *, row_number() over (partition by channel_id, lane order by due_at) as place from waiting) as placed
    join shares using (channel_id)
    where place <= case lane when 0 then room - regular_share else regular_share end
  )`;

/** The rows of `taken` to lease, each to be looked up by its key. */
const toLease = (sql: Sql, most: number): Fragment => sql`
  (
    select * from unnest(array(
      select taken from taken where in_doubt or not mailing_stopped order by id
    )) as few (project_id uuid, id uuid, channel_id uuid, in_doubt boolean, mailing_stopped boolean)
    ${fewOf(sql, most)}
  )`;

/** Cancels messages that still wait, and counts them in their mailings. */
export async function cancelMessages(sql: Sql, messages: readonly MessageKey[]): Promise<void> {
  const rows = messages.map(({ project_id, id }) => ({ project_id, id }));
  await sql`
    with held as (
      select messages.project_id, messages.id
      from ${fewRows(sql, rows, 'few', sql`project_id uuid, id uuid`)}
      join messages on messages.project_id = few.project_id and messages.id = few.id
      where messages.state = 'PENDING'
      order by messages.id for update of messages
    ),
    cancelled as (
      ${cancelledMessages(sql, givenMessages(sql, sql`held`))}
      returning messages.project_id, mailing_id, variant, 'PENDING' as before, messages.state as after, ${reactionsOf(sql)}
    ),
    mailing_counted as (${countedMoves(sql, sql`cancelled`)})
    select count(*) from mailing_counted`;
}

/** Ends leases without a call: the messages wait as before. During an outage of the database the leases lapse. */
export async function giveBack(
  sql: Sql,
  leased: readonly (Pick<LeasedMessage, 'project_id' | 'id' | 'in_doubt'> & { lease: string })[],
): Promise<void> {
  const rows = leased.map(({ project_id, id, lease, in_doubt }) => ({
    project_id,
    id,
    lease,
    state: in_doubt ? 'IN_PROCESS' : 'PENDING',
  }));
  const columns = sql`project_id uuid, id uuid, lease uuid, state text`;
  const given = sql`(select * from ${fewRows(sql, rows, 'few', columns)})`;
  await sql`${returnedMessages(sql, given)} and messages.lease = given.lease`.catch(() => {});
}
