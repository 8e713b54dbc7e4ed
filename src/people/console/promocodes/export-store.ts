import type { Sql } from '../../../platform/database/database.ts';

export type ExportedRow = {
  id: string;
  is_of_group: boolean;
  code: string;
  status: 'AVAILABLE' | 'ISSUED';
  issued_chat_id: string | null;
  issued_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
};

/**
 * The codes of a group among the next `limit` codes of the project after `after`. The last of these is always
 * included, as the next cursor. The order is by id, so that each code comes once, whatever changes meanwhile.
 */
export function codesBehind(
  sql: Sql,
  projectId: string,
  groupId: string,
  after: string,
  limit: number,
): Promise<ExportedRow[]> {
  return sql<ExportedRow[]>`
    with next as (
      select * from promocodes where project_id = ${projectId} and id > ${after} order by id limit ${limit}
    ),
    numbered as (select next.*, row_number() over (order by id desc) as place from next)
    select id, group_id = ${groupId} as is_of_group, code, status, issued_chat_id, issued_at, expires_at, created_at
    from numbered where group_id = ${groupId} or place = 1
    order by id`;
}
