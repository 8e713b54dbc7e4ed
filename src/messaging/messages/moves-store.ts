import type { Fragment, Sql } from '../../platform/database/database.ts';
import { fewOf } from '../../platform/database/few-rows.ts';
import { suspectAfter } from '../../platform/pump/suspects.ts';

/**
 * All updates of messages. Each is a statement for a CTE that writes rows of `messages`. The caller may add a
 * condition, and chooses the returned columns.
 */

/** The messages that the caller's rows name by `project_id` and `id`. The statement calls these rows `given`. */
export const givenMessages = (sql: Sql, rows: Fragment) => sql`
  from ${rows} as given where messages.project_id = given.project_id and messages.id = given.id`;

/** At most `most` messages, whose ids a query selects. Like `fewRows`, they are looked up by their whole key. */
export const fewMessages = (
  sql: Sql,
  { projectId, ids, most }: { projectId: string; ids: Fragment; most: number },
) => sql`
  from (
    select ${projectId}::uuid as project_id, few.id from unnest(array(${ids})) as few (id) ${fewOf(sql, most)}
  ) as few
  where messages.project_id = few.project_id and messages.id = few.id`;

export const oneMessage = (sql: Sql, projectId: string, id: string) => sql`
  where messages.project_id = ${projectId} and messages.id = ${id}`;

/** The lane of messages that were interrupted too often to be claimed together with others. */
export const suspects = 2;

/**
 * Leased to a worker until the lease ends. Usually no indexed column changes, which makes this much cheaper than an
 * update that rewrites the entries of all indexes.
 */
export const leasedMessages = (
  sql: Sql,
  rows: Fragment,
  { lease, leaseUntil, now }: { lease: string; leaseUntil: Date; now: Date },
) => sql`
  update messages set state = 'IN_PROCESS', lease = ${lease}, leased_until = ${leaseUntil},
    -- What holds a lease still was interrupted: its attempt is counted, and has not come to its end.
    attempts = messages.attempts + (messages.lease is null)::int,
    interruptions = messages.interruptions + (messages.lease is not null)::int,
    lane = case when messages.interruptions + (messages.lease is not null)::int < ${suspectAfter - 1} then messages.lane
      else ${suspects} end,
    -- Patience with a provider that says "slow down" begins when a mailing's message comes to its turn.
    launch_at = case when messages.mailing_id is null then messages.launch_at
      else coalesce(messages.launch_at, ${now}) end
  ${givenMessages(sql, rows)}`;

/** Leases that end without a call: the messages wait as before the claim. `rows` has the `state` of then. */
export const returnedMessages = (sql: Sql, rows: Fragment) => sql`
  update messages set state = given.state, lease = null, leased_until = null, attempts = messages.attempts - 1
  ${givenMessages(sql, rows)}`;

export const renewedMessages = (sql: Sql, rows: Fragment, until: Date) => sql`
  update messages set leased_until = ${until} ${givenMessages(sql, rows)}`;

/** Sets the next due time. */
export const postponedMessages = (sql: Sql, rows: Fragment, until: Date) => sql`
  update messages set due_at = ${until} ${givenMessages(sql, rows)}`;

export const cancelledMessages = (sql: Sql, which: Fragment, detail?: string) => sql`
  update messages set state = 'CANCELLED' ${detail === undefined ? sql`` : sql`, state_detail = ${detail}`}
  ${which}`;

/** The results of calls. `rows` has the columns that are read here, which are null in most results. */
export const recordedMessages = (sql: Sql, rows: Fragment) => sql`
  update messages set state = given.state, state_detail = coalesce(given.state_detail, ''),
    due_at = given.due_at, lease = null, leased_until = null,
    attempts = messages.attempts - coalesce(given.uncount, 0),
    interruptions = 0, lane = least(messages.lane, 1),
    provider_id = coalesce(given.provider_id, messages.provider_id),
    sent_at = case when given.state = 'SENT' then given.due_at end,
    -- Patience with the provider begins anew after quiet hours.
    launch_at = case when given.quiet_until is null then messages.launch_at end,
    unheard = coalesce(given.unheard, false), rendered = coalesce(messages.rendered, given.rendered),
    trace = coalesce(messages.trace, given.trace)
  ${givenMessages(sql, rows)}`;

/** The states from receipts. `rows` has a `state` and a `state_detail`. */
export const receivedMessages = (sql: Sql, rows: Fragment, now: Date) => sql`
  update messages set
    state = given.state,
    state_detail = given.state_detail,
    lease = null,
    leased_until = null,
    sent_at = case when given.state = 'SENT' then ${now} else messages.sent_at end,
    delivered_at = case when given.state = 'DELIVERED' then ${now} else messages.delivered_at end,
    read_at = case when given.state = 'READ' then ${now} else messages.read_at end
  ${givenMessages(sql, rows)}`;

/** A client's reactions: each of the `rows`, at most `most`, has the `type` of one. A message that failed has none. */
export const reactedMessages = (sql: Sql, rows: Fragment, most: number, now: Date) => sql`
  update messages set
    replied_at = case when given.type = 'REPLY' then ${now} else messages.replied_at end,
    clicked_at = case when given.type = 'CLICK' then ${now} else messages.clicked_at end,
    jumped_at = case when given.type = 'URL' then ${now} else messages.jumped_at end
  ${givenMessages(sql, sql`(select project_id, id, type from ${rows} as reacting ${fewOf(sql, most)})`)} and not messages.has_failed`;

/** Their scenario begins: they wait for its first message. */
export const startedMessages = (sql: Sql, rows: Fragment) => sql`
  update messages set due_at = null ${givenMessages(sql, rows)}`;

/** Hands messages to the sending engine: `rows` has a `channel_id` and the `rendered` content. */
export const handedMessages = (sql: Sql, rows: Fragment) => sql`
  update messages set channel_id = given.channel_id, rendered = given.rendered,
    due_at = coalesce(messages.due_at, messages.created_at)
  ${givenMessages(sql, rows)}`;

/** The files of clients are stored: `rows` has the `url` of each. */
export const messagesWithFiles = (sql: Sql, rows: Fragment) => sql`
  update messages set content = messages.content || jsonb_build_object('url', given.url) ${givenMessages(sql, rows)}`;
