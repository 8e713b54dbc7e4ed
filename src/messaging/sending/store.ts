import { spentPace } from '../../channels/connected/pace-store.ts';
import { outboxColumns, outboxCtes, projectHears } from '../../events/outbox.ts';
import type { Rendered } from '../../mailings/render.ts';
import type { Sql } from '../../platform/database/database.ts';
import { fewRows } from '../../platform/database/few-rows.ts';
import type { Renewed } from '../../platform/pump/leases.ts';
import type { Due } from '../../platform/pump/suspects.ts';
import type { SessionFacts } from '../chats/present.ts';
import { openSessionFacts } from '../chats/sessions-store.ts';
import { countedMoves } from '../messages/mailing-counts-store.ts';
import {
  cancelledMessages,
  givenMessages,
  leasedMessages,
  postponedMessages,
  recordedMessages,
  suspects,
} from '../messages/moves-store.ts';
import type { MessageContent } from './carry.ts';

export type ClaimedMessage = {
  project_id: string;
  id: string;
  lease: string;
  chat_id: string;
  channel_id: string;
  source: string;
  content_type: string;
  content: MessageContent;
  external_id: string | null;
  is_force: boolean;
  attempts: number;
  /** Earlier claims without a result. */
  interruptions: number;
  /** Whether an earlier call may have been received: its result is unknown. */
  in_doubt: boolean;
  launch_at: Date | null;
  created_at: Date;
  platform: string;
  chat_external_id: string;
  chat_name: string | null;
  chat_phone: string | null;
  chat_avatar: string | null;
  profile_id: string;
  stopped: boolean;
  /** The chat's open session. */
  session: SessionFacts | null;
  /** Whether any endpoint of the project receives `message_updated`. */
  heard: boolean;
  mailing_id: string | null;
  /** For a mailing's message that may have been received before: the mailing was stopped since. */
  mailing_stopped: boolean;
  /**
   * For a mailing's message after a merge of two profiles. `had`: the client got the mailing in another chat. `open`:
   * a message there comes first. Null in other cases.
   */
  twin: 'had' | 'open' | null;
  /** For a mailing's message: whether the project's own webhook receives its events. */
  project_hears: boolean;
};

export type RecordedMessage = {
  project_id: string;
  id: string;
  lease: string;
  state: string;
  state_detail: string;
  /** When a retry is due; null in a final state. */
  due_at: string | null;
  /** 1 if it does not count as an attempt. */
  uncount: number;
  provider_id: string | null;
  sent_at: string | null;
  /** For a failed message: no call of it can have been received. */
  unheard: boolean;
  /** The sent content, if the row does not have it yet. */
  rendered: Rendered | null;
};

/**
 * Every active channel with queued messages, and the time at which its next row and its pace allow a claim. The query
 * jumps in the queue's index from one channel's lane to the next. Its cost therefore grows with the waiting channels,
 * and not with all channels.
 */
export function dueChannels(sql: Sql): Promise<Due[]> {
  return sql<Due[]>`
    with recursive head as (
      (
        select channel_id, lane, due_at from messages
        where state in ('PENDING', 'IN_PROCESS') and channel_id is not null
        order by channel_id, lane, due_at limit 1
      )
      union all
      select next.channel_id, next.lane, next.due_at from head cross join lateral (
        select channel_id, lane, due_at from messages
        where state in ('PENDING', 'IN_PROCESS') and (channel_id, lane) > (head.channel_id, head.lane)
        order by channel_id, lane, due_at limit 1
      ) next
    )
    select pace.channel_id as key, head.lane = ${suspects} as "areSuspects",
      greatest(
        min(head.due_at),
        pace.resume_at,
        case when pace.rate is null then null else
          pace.tokens_at + make_interval(secs => (greatest(1, pace.rate / 10) - pace.tokens) / pace.rate)
        end
      ) as "dueAt"
    from head
    join channel_pace pace on pace.channel_id = head.channel_id
    join channels on channels.project_id = pace.project_id and channels.id = pace.channel_id and channels.state = 'active'
    group by pace.project_id, pace.channel_id, "areSuspects"
    having min(head.due_at) is not null`;
}

/** `free` places for messages of a channel. */
export type Asked = { channelId: string; free: number };

/** Claims only suspects with `areSuspects`, and otherwise all others. */
export type Claim = { areSuspects?: boolean; lease: string; now: Date; leaseUntil: Date };

/**
 * Leases due messages of several channels, within the `free` places and the pace of each. Priority comes first,
 * except every tenth place. The channels' pace rows are locked first, so that workers share one bucket for each
 * channel. Messages of a stopped mailing take their places too, and are cancelled. A stop, which waits for running
 * claims, is therefore effective before the planner has cancelled a million rows. No claim has to search behind them.
 */
export function claimMessages(
  sql: Sql,
  asked: readonly Asked[],
  { areSuspects = false, lease, now, leaseUntil }: Claim,
): Promise<ClaimedMessage[]> {
  return sql<ClaimedMessage[]>`
    with pace as (
      select refilled.*, case when rate is null then free else least(free, floor(filled)::int) end as room
      from (
        select project_id, channel_pace.channel_id, free, known.rate, claimed,
          least(
            greatest(1, known.rate / 10), tokens + known.rate * extract(epoch from ${now}::timestamptz - tokens_at)
          ) as filled,
          extract(epoch from ${now}::timestamptz - window_at)::float8 as ran
        from jsonb_to_recordset(${sql.json(asked)}) as asked ("channelId" uuid, free integer)
        join channel_pace on channel_pace.channel_id = asked."channelId"
        cross join pace_now(channel_pace.rate, rate_ceiling, learnt_until, ${now}) as known (rate)
        where resume_at <= ${now}
          and exists (select from channels where channels.id = channel_pace.channel_id and channels.state = 'active')
        order by channel_pace.channel_id for update of channel_pace
      ) refilled
    ),
    waiting as (
      select pace.channel_id, lanes.lane, head.id, due_at, state, mailing_id
      from pace
      cross join (values (0), (1), (${suspects}::int)) as lanes (lane)
      cross join lateral (
        select id, due_at, state, mailing_id from messages
        where channel_id = pace.channel_id and lane = lanes.lane and state in ('PENDING', 'IN_PROCESS') and due_at <= ${now}
        order by due_at limit pace.room for update skip locked
      ) head
      where (lanes.lane = ${suspects}) = ${areSuspects}
    ),
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
      select project_id, id, state, mailing_id
      from (select *, row_number() over (partition by channel_id, lane order by due_at) as place from waiting) as placed
      join shares using (channel_id)
      where place <= case lane when 0 then room - regular_share else regular_share end
    ),
    running as (
      select mailings.project_id, mailings.id, started_at
      from (select distinct project_id, mailing_id from picked where mailing_id is not null) as named
      join mailings on mailings.project_id = named.project_id and mailings.id = named.mailing_id
      where mailings.state = 'in_process'
      order by mailings.id for key share of mailings
    ),
    taken as (
      select picked.project_id, picked.id, picked.state as before, started_at,
        mailing_id is not null and running.id is null as mailing_stopped
      from picked left join running on running.project_id = picked.project_id and running.id = mailing_id
    ),
    cancelled as (
      ${cancelledMessages(sql, givenMessages(sql, few(sql, true)))}
      returning messages.project_id, mailing_id, 'PENDING' as before, messages.state as after
    ),
    mailing_counted as (${countedMoves(sql, sql`cancelled`)}),
    claimed as (
      ${leasedMessages(sql, few(sql, false), { lease, leaseUntil, now })}
      returning messages.*, given.before, given.started_at, given.mailing_stopped
    ),
    spent as (${spentPace(sql, { pace: sql`pace`, taken: sql`claimed` }, now)})
    select claimed.project_id, claimed.id, claimed.lease, claimed.chat_id, claimed.channel_id, claimed.source,
      coalesce(claimed.rendered ->> 'type', claimed.content_type) as content_type, coalesce(claimed.rendered, claimed.content) as content, claimed.external_id, claimed.is_force, claimed.attempts, claimed.interruptions, claimed.before = 'IN_PROCESS' as in_doubt, claimed.launch_at,
      claimed.created_at,
      chats.platform, chats.external_id as chat_external_id, chats.name as chat_name, chats.phone as chat_phone,
      chats.avatar as chat_avatar, chats.profile_id, chats.stopped_at is not null as stopped,
      ${openSessionFacts(sql, sql`claimed.project_id`, sql`claimed.chat_id`)} as session,
      exists (
        select from endpoints where endpoints.project_id = claimed.project_id and application_id is not null
          and (event_types = '{}' or 'message_updated' = any (event_types))
      ) as heard,
      claimed.mailing_id, claimed.mailing_stopped,
      claimed.mailing_id is not null and ${projectHears(sql, sql`claimed.project_id`)} as project_hears,
      case when claimed.mailing_id is not null then (
        select min(case when twin.state in ('PENDING', 'IN_PROCESS') then 'open' else 'had' end)
        from chats others
        join messages twin on twin.project_id = others.project_id and twin.chat_id = others.id
        where others.project_id = chats.project_id and others.profile_id = chats.profile_id and others.id <> chats.id
          -- The ids of a run's messages begin with its beginning.
          and twin.id >= uuid_floor(claimed.started_at) and twin.mailing_id = claimed.mailing_id and twin.mailing_run = claimed.mailing_run
          -- One that may have been heard goes before one that was surely not; between equals the lower id decides.
          and case twin.state
            when 'PENDING' then claimed.before = 'PENDING' and twin.id < claimed.id
            when 'IN_PROCESS' then claimed.before = 'PENDING' or twin.id < claimed.id
            else twin.state in ('SENT', 'DELIVERED', 'READ')
          end
      ) end as twin
    from claimed
    join chats on chats.project_id = claimed.project_id and chats.id = claimed.chat_id
    -- Asked first, and so also where nothing is claimed.
    where (select count(*) from mailing_counted) >= 0`;
}

/**
 * The rows of `taken` that are cancelled, or the others, as an array. The planner then expects a few rows and looks
 * each up by its key. It skips the partitions that hold none. With a join to `taken` it would read whole tables, or
 * all of `taken` for each message.
 */
const few = (sql: Sql, areCancelled: boolean) => sql`
  (
    select * from unnest(array(
      select taken from taken where (mailing_stopped and before = 'PENDING') = ${areCancelled}::boolean order by id
    )) as few (project_id uuid, id uuid, before text, started_at timestamptz, mailing_stopped boolean)
  )`;

type Leased = Pick<ClaimedMessage, 'project_id' | 'id' | 'lease'>;

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
    ${postponedMessages(sql, sql`held`, until)}
    returning given.position`;
}

const recordedColumns = (sql: Sql) => sql`
  project_id uuid, id uuid, lease uuid, state text, state_detail text, due_at timestamptz,
  uncount smallint, provider_id text, sent_at timestamptz, unheard boolean, rendered jsonb`;

/** Records the results of claimed messages, with their events, and counts them. A lost lease writes nothing. */
export async function recordMessages(
  sql: Sql,
  messages: RecordedMessage[],
  events: ({ message_id: string } & object)[],
  now: Date,
): Promise<void> {
  await sql`
    with result as (select * from ${fewRows(sql, messages, 'result', recordedColumns(sql))}),
    -- Receipts lock in this order too: whoever locked as the rows come would sometimes wait in a circle with them.
    held as (
      select result.*, messages.mailing_id from result
      join messages on messages.project_id = result.project_id and messages.id = result.id
      where messages.lease = result.lease and messages.state = 'IN_PROCESS'
      order by messages.id for update of messages
    ),
    moved as (
      ${recordedMessages(sql, sql`held`)}
      returning messages.id, messages.project_id, given.mailing_id, 'IN_PROCESS' as before, given.state as after
    ),
    mailing_counted as (${countedMoves(sql, sql`moved`)}),
    announced as (
      select event.* from jsonb_to_recordset(${sql.json(events)}) as event (message_id uuid, ${outboxColumns(sql)})
      join moved on moved.id = event.message_id
    ),
    ${outboxCtes(sql, sql`announced`, now)}
    select count(*) from mailing_counted`;
}
