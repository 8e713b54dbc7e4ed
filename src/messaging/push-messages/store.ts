import { outboxColumns, outboxCtes } from '../../events/outbox.ts';
import type { Fragment, JSONValue, Sql } from '../../platform/database/database.ts';
import { fewIds, fewOf } from '../../platform/database/few-rows.ts';
import { idsOfPage } from '../../platform/database/page.ts';
import { countRows } from '../../platform/database/row-counts.ts';
import { isUuid } from '../../platform/id.ts';
import { momentOf } from '../../platform/moment.ts';
import type { Slice } from '../../platform/outbound/nearer-end.ts';
import type { MessageState } from '../chats/rules.ts';
import { cancelledMessages, oneMessage } from '../messages/moves-store.ts';
import type { PushMessageRow } from './present.ts';
import { PushMessageFilters } from './schema.ts';

const columns = (sql: Sql) => sql`
  messages.id, messages.source, messages.chat_id, chats.platform, messages.state, messages.state_detail, messages.content_type,
  messages.content, messages.launch_at, messages.created_at, messages.sent_at, messages.delivered_at, messages.read_at`;

const withChat = (sql: Sql) => sql`
  messages left join chats on chats.project_id = messages.project_id and chats.id = messages.chat_id`;

const isPush = (sql: Sql) => sql`messages.source in ('push', 'stream')`;

export async function findPushMessage(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<PushMessageRow | undefined> {
  const [row] = await sql<PushMessageRow[]>`
    select ${columns(sql)} from ${withChat(sql)}
    where messages.project_id = ${projectId} and messages.id = ${id} and ${isPush(sql)}`;
  return row;
}

/**
 * Cancels a message unless a worker claims it: the first to write the row wins. True when nothing was or will be
 * sent, and the events that announce it are stored. A retry of a call that the provider may have received is
 * IN_PROCESS, never PENDING.
 */
export async function cancelPending(
  sql: Sql,
  projectId: string,
  id: string,
  events: readonly Record<string, JSONValue>[],
  now: Date,
): Promise<boolean> {
  const cancelled = await sql`
    with cancelled as (
      ${cancelledMessages(sql, oneMessage(sql, projectId, id))} and state = 'PENDING' and ${isPush(sql)}
      returning messages.id
    ),
    announced as (
      select event.* from jsonb_to_recordset(${sql.json(events)}) as event (${outboxColumns(sql)}), cancelled
    ),
    ${outboxCtes(sql, sql`announced`, now)}
    select id from cancelled`;
  return cancelled.length === 1;
}

/** An id has the time of its request, and a repeated request keeps the id for a day. So an id is at most this much older. */
const idAgeMs = 24 * 3_600_000;
/** Several machines may accept messages, each by its own clock. */
const clocksApartMs = 3_600_000;
const lastMs = Date.UTC(9999, 11, 31);

/** A time is compared by ids as well, so that only the months in question are read. Ids are of the years 1970 to 9999. */
function between(sql: Sql, from: string | undefined, to: string | undefined) {
  const first = from === undefined ? undefined : momentOf(from);
  const last = to === undefined ? undefined : momentOf(to);
  // PostgreSQL itself does not read every zone of ISO 8601.
  return sql`
    ${first === undefined ? sql`` : sql`and messages.created_at >= ${first} and messages.id >= uuid_floor(${earlier(first)})`}
    ${last === undefined ? sql`` : sql`and messages.created_at <= ${last} and messages.id < uuid_floor(${later(last)})`}`;
}

const earlier = (moment: Date) => new Date(Math.max(0, moment.getTime() - idAgeMs));
const later = (moment: Date) => new Date(Math.max(0, Math.min(moment.getTime() + clocksApartMs, lastMs)));

/** What the indexes of few messages contain instead of the state, which changes at each send. */
const narrower: Record<MessageState, 'is_queued' | 'has_failed' | null> = {
  PENDING: 'is_queued',
  IN_PROCESS: 'is_queued',
  SENT: null,
  DELIVERED: null,
  READ: null,
  CANCELLED: null,
  UNDELIVERED: 'has_failed',
  ERROR: 'has_failed',
};

function isIn(sql: Sql, state: MessageState) {
  const column = narrower[state];
  return sql`and messages.state = ${state} ${column === null ? sql`` : sql`and messages.${sql(column)}`}`;
}

/** By its uuid or its name, as the indexes have them. */
function isOfCampaign(sql: Sql, campaign: string): Fragment {
  const named = sql`md5(messages.campaign_name) = md5(${campaign}) and messages.campaign_name = ${campaign}`;
  return isUuid(campaign) ? sql`(messages.campaign_id = ${campaign} or ${named})` : named;
}

function matching(sql: Sql, projectId: string, filters: PushMessageFilters) {
  const { state, chat, profile, campaign, tag, created_at__gte: from, created_at__lte: to } = filters;
  return sql`
    messages.project_id = ${projectId} and ${isPush(sql)}
    ${state === undefined ? sql`` : isIn(sql, state)}
    ${chat === undefined ? sql`` : sql`and messages.chat_id = ${chat}`}
    ${profile === undefined ? sql`` : sql`and chats.profile_id = ${profile}`}
    ${campaign === undefined ? sql`` : sql`and ${isOfCampaign(sql, campaign)}`}
    ${tag === undefined ? sql`` : sql`and messages.tag = ${tag}`}
    ${between(sql, from, to)}`;
}

/** Newest first, of `count` messages. */
export function pushMessagesPage(
  sql: Sql,
  projectId: string,
  filters: PushMessageFilters,
  count: number,
  page: Slice,
): Promise<PushMessageRow[]> {
  const rows = sql`
    select messages.id from ${filters.profile === undefined ? sql`messages` : withChat(sql)}
    where ${matching(sql, projectId, filters)}`;
  return sql<PushMessageRow[]>`
    select ${columns(sql)} from ${fewIds(sql, idsOfPage(sql, rows, count, page), page.limit)}
    join messages on messages.project_id = ${projectId} and messages.id = few.id
    left join chats on chats.project_id = messages.project_id and chats.id = messages.chat_id
    order by messages.id desc`;
}

/** All of these rows, as if few were wanted. Else the planner would rather read the whole of a month. */
const inOrder = (sql: Sql, rows: Fragment) => sql`${rows} order by messages.id ${fewOf(sql, 2 ** 31 - 1)}`;

const isFiltered = (filters: PushMessageFilters): boolean =>
  Object.keys(PushMessageFilters.properties).some((name) => Object.hasOwn(filters, name));

export async function countPushMessages(
  sql: Sql,
  projectId: string,
  filters: PushMessageFilters,
): Promise<number> {
  if (!isFiltered(filters)) return countRows(sql, projectId, 'messages', 'push');
  const rows = sql`select from ${withChat(sql)} where ${matching(sql, projectId, filters)}`;
  const isOfTime = filters.created_at__gte !== undefined || filters.created_at__lte !== undefined;
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (${isOfTime ? inOrder(sql, rows) : rows}) as matching`;
  return row.count;
}
