import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { countRows } from '../../../platform/database/row-counts.ts';
import { nearerEnd, type Slice } from '../../../platform/outbound/nearer-end.ts';

type Status = 'AVAILABLE' | 'ISSUED';

export const countCodes = (sql: Sql, projectId: string, groupId: string, status: Status): Promise<number> =>
  countRows(sql, projectId, 'promocodes', `${groupId} ${status}`);

/**
 * The ids of a group's codes with a status, in the order in which they are issued, or reversed. A fragment, like the
 * next one.
 */
export function idsOfCodes(
  sql: Sql,
  projectId: string,
  groupId: string,
  status: Status,
  { limit, offset, fromOldest: isFromEnd }: ReturnType<typeof nearerEnd>,
): Fragment {
  const direction = isFromEnd ? sql`desc` : sql`asc`;
  return sql`
    select id from promocodes
    where project_id = ${projectId} and group_id = ${groupId} and status = ${status}
    order by coalesce(expires_at, 'infinity'::timestamptz) ${direction}, id ${direction}
    limit ${limit} offset ${offset}`;
}

/** The id of a group's code with this text, also in capitals. */
export const idsReading = (sql: Sql, projectId: string, groupId: string, code: string): Fragment => sql`
  select id from promocodes
  where project_id = ${projectId} and group_id = ${groupId}
    and promocode_digest(code) = any (array[promocode_digest(${code}), promocode_digest(upper(${code}::text collate "C"))])`;

/** A page of `count` codes of a group. */
export async function pageOfCodes(
  sql: Sql,
  projectId: string,
  groupId: string,
  status: Status,
  count: number,
  page: Slice,
): Promise<string[]> {
  const slice = nearerEnd(count, page);
  const rows = await sql<{ id: string }[]>`${idsOfCodes(sql, projectId, groupId, status, slice)}`;
  const ids = rows.map(({ id }) => id);
  return slice.fromOldest ? ids.reverse() : ids;
}

export async function findReading(
  sql: Sql,
  projectId: string,
  groupId: string,
  code: string,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`${idsReading(sql, projectId, groupId, code)}`;
  return rows.map(({ id }) => id);
}

export type Holder = {
  code_id: string;
  profile_id: string;
  profile_name: string | null;
  chat_name: string | null;
  username: string | null;
  phone: string | null;
};

/** The clients who got these codes, by code. */
export async function holdersOf(
  sql: Sql,
  projectId: string,
  codeIds: readonly string[],
): Promise<Map<string, Holder>> {
  const rows = await sql<Holder[]>`
    select promocodes.id as code_id, chats.profile_id, profiles.name as profile_name, chats.name as chat_name,
      chats.username, coalesce(profiles.phone_number, chats.phone) as phone
    from promocodes
    join chats on chats.project_id = promocodes.project_id and chats.id = promocodes.issued_chat_id
    join profiles on profiles.project_id = chats.project_id and profiles.id = chats.profile_id
    where promocodes.project_id = ${projectId} and promocodes.id = any (${[...codeIds]}::uuid[])`;
  return new Map(rows.map((row) => [row.code_id, row]));
}
