import { outboxColumns, outboxCtes } from '../../events/outbox.ts';
import type { JSONValue, Sql } from '../../platform/database/database.ts';
import { idsOfPage } from '../../platform/database/page.ts';
import { countRows } from '../../platform/database/row-counts.ts';
import { momentOf } from '../../platform/moment.ts';
import type { Slice } from '../../platform/outbound/nearer-end.ts';
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

function matching(sql: Sql, projectId: string, filters: PushMessageFilters) {
  const { state, chat, profile, campaign, tag, created_at__gte: from, created_at__lte: to } = filters;
  // PostgreSQL itself does not read every zone of ISO 8601.
  return sql`
    messages.project_id = ${projectId} and ${isPush(sql)}
    ${state === undefined ? sql`` : sql`and messages.state = ${state}`}
    ${chat === undefined ? sql`` : sql`and messages.chat_id = ${chat}`}
    ${profile === undefined ? sql`` : sql`and chats.profile_id = ${profile}`}
    ${campaign === undefined ? sql`` : sql`and ${campaign} in (messages.campaign_id::text, messages.campaign_name)`}
    ${tag === undefined ? sql`` : sql`and messages.tag = ${tag}`}
    ${from === undefined ? sql`` : sql`and messages.created_at >= ${momentOf(from)}`}
    ${to === undefined ? sql`` : sql`and messages.created_at <= ${momentOf(to)}`}`;
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
    select ${columns(sql)} from ${withChat(sql)}
    where messages.project_id = ${projectId} and messages.id = any (${idsOfPage(sql, rows, count, page)})
    order by messages.id desc`;
}

const isFiltered = (filters: PushMessageFilters): boolean =>
  Object.keys(PushMessageFilters.properties).some((name) => Object.hasOwn(filters, name));

export async function countPushMessages(
  sql: Sql,
  projectId: string,
  filters: PushMessageFilters,
): Promise<number> {
  if (!isFiltered(filters)) return countRows(sql, projectId, 'messages', 'push');
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from ${withChat(sql)} where ${matching(sql, projectId, filters)}`;
  return row.count;
}
