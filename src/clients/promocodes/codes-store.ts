import type { Sql } from '../../platform/database/database.ts';
import { isMissingRow } from '../../platform/database/missing-row.ts';
import { idsOfPage } from '../../platform/database/page.ts';
import { countRows } from '../../platform/database/row-counts.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';
import type { Slice } from '../../platform/outbound/nearer-end.ts';
import type { CodeRow } from './present.ts';
import type { PromocodeFilters } from './schema.ts';

/** Group and chat are looked up row by row. With a join and no statistics, the planner reads a whole group. */
const columns = (sql: Sql) => sql`
  id, code, status, group_id, issued_chat_id, issued_at, expires_at, created_at, updated_at,
  (
    select name from promocode_groups
    where promocode_groups.project_id = promocodes.project_id and promocode_groups.id = promocodes.group_id
  ) as group_name,
  (
    select platform from chats
    where chats.project_id = promocodes.project_id and chats.id = promocodes.issued_chat_id
  ) as platform`;

export async function findCode(sql: Sql, projectId: string, id: string): Promise<CodeRow | undefined> {
  const [row] = await sql<CodeRow[]>`
    select ${columns(sql)} from promocodes where project_id = ${projectId} and id = ${id}`;
  return row;
}

/** The existing codes among the ids, in no order. */
export function findCodes(sql: Sql, projectId: string, ids: readonly string[]): Promise<CodeRow[]> {
  return sql<CodeRow[]>`
    select ${columns(sql)} from promocodes where project_id = ${projectId} and id = any (${[...ids]}::uuid[])`;
}

const matching = (sql: Sql, projectId: string, { group, status }: PromocodeFilters) => sql`
  select id from promocodes where project_id = ${projectId}
    ${group === undefined ? sql`` : sql`and group_id = ${group}`}
    ${status === undefined ? sql`` : sql`and status = ${status}`}`;

/** Newest first. `count` is the number of codes. */
export function codesPage(
  sql: Sql,
  projectId: string,
  filters: PromocodeFilters,
  count: number,
  page: Slice,
): Promise<CodeRow[]> {
  const rows = matching(sql, projectId, filters);
  return sql<CodeRow[]>`
    select ${columns(sql)} from promocodes
    where project_id = ${projectId} and id = any (${idsOfPage(sql, rows, count, page)})
    order by id desc`;
}

export async function countCodes(sql: Sql, projectId: string, filters: PromocodeFilters): Promise<number> {
  if (filters.group === undefined && filters.status === undefined) {
    return countRows(sql, projectId, 'promocodes');
  }
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from (${matching(sql, projectId, filters)}) as found`;
  return row.count;
}

/** Absent fields stay unchanged. */
export type CodeChange = {
  code?: string;
  groupId?: string;
  status?: 'AVAILABLE' | 'ISSUED';
  issuedChatId?: string | null;
  issuedAt?: Date | null;
  expiresAt?: Date | null;
};

export type Refusal = 'taken' | 'no_group' | 'no_chat' | 'gone';

/**
 * Changes a code in one statement. An issued code has a time of issue, by default `now`. An available code has
 * neither a time nor a chat. A change that mentions the issue assigns the code for good: its message no longer gives
 * it back.
 */
export async function changeCode(
  sql: Sql,
  projectId: string,
  id: string,
  change: CodeChange,
  now: Date,
): Promise<CodeRow | Refusal> {
  const { code, groupId, status, issuedChatId, issuedAt, expiresAt } = change;
  const becomes = status ?? sql`status`;
  try {
    const [row] = await sql<CodeRow[]>`
      update promocodes set
        code = ${code ?? sql`code`},
        group_id = ${groupId ?? sql`group_id`},
        expires_at = ${expiresAt === undefined ? sql`expires_at` : expiresAt},
        status = ${becomes},
        reserved_for = ${isIssuedByHand(change) ? null : sql`reserved_for`},
        issued_chat_id = case ${becomes} when 'ISSUED' then
          ${issuedChatId === undefined ? sql`issued_chat_id` : issuedChatId}::uuid end,
        issued_at = case ${becomes} when 'ISSUED' then
          coalesce(${issuedAt === undefined ? sql`issued_at` : issuedAt}::timestamptz, ${now}) end,
        updated_at = ${now}
      where project_id = ${projectId} and id = ${id}
      returning ${columns(sql)}`;
    return row ?? 'gone';
  } catch (error) {
    if (isUniqueViolation(error, 'promocodes_code')) return 'taken';
    if (isMissingRow(error, 'promocodes_group')) return 'no_group';
    if (isMissingRow(error, 'promocodes_issued_chat')) return 'no_chat';
    throw error;
  }
}

const isIssuedByHand = ({ status, issuedChatId, issuedAt }: CodeChange): boolean =>
  status !== undefined || issuedChatId !== undefined || issuedAt !== undefined;

/** Returns false when the code does not exist. */
export async function deleteCodeRow(sql: Sql, projectId: string, id: string): Promise<boolean> {
  const count = await sql`delete from promocodes where project_id = ${projectId} and id = ${id}`.count();
  return count > 0;
}

/**
 * Deletes up to `limit` codes of a group, and returns their number. Codes that another statement has locked are
 * skipped, so that two deletions do not deadlock.
 */
export async function deleteCodesOfGroup(
  sql: Sql,
  projectId: string,
  groupId: string,
  limit: number,
): Promise<number> {
  return await sql`
    with picked as materialized (
      select project_id, id from promocodes where project_id = ${projectId} and group_id = ${groupId}
      limit ${limit} for update skip locked
    )
    delete from promocodes using picked
    where promocodes.project_id = picked.project_id and promocodes.id = picked.id`.count();
}
