import type { Sql } from '../../platform/database/database.ts';
import { idsOfPage } from '../../platform/database/page.ts';
import type { Slice } from '../../platform/outbound/nearer-end.ts';
import type { GroupRow } from './present.ts';

type NewGroup = GroupRow & { createdAt: Date };

export async function insertGroup(sql: Sql, projectId: string, group: NewGroup): Promise<void> {
  await sql`
    insert into promocode_groups (project_id, id, name, created_at)
    values (${projectId}, ${group.id}, ${group.name}, ${group.createdAt})`;
}

export async function findGroup(sql: Sql, projectId: string, id: string): Promise<GroupRow | undefined> {
  const [row] = await sql<GroupRow[]>`
    select id, name from promocode_groups where project_id = ${projectId} and id = ${id}`;
  return row;
}

/** Newest first. `count` is the number of groups. */
export function groupsPage(sql: Sql, projectId: string, count: number, page: Slice): Promise<GroupRow[]> {
  const rows = sql`select id from promocode_groups where project_id = ${projectId}`;
  return sql<GroupRow[]>`
    select id, name from promocode_groups
    where project_id = ${projectId} and id = any (${idsOfPage(sql, rows, count, page)})
    order by id desc`;
}

/** Returns undefined when the group does not exist. */
export async function renameGroup(
  sql: Sql,
  projectId: string,
  id: string,
  name: string,
): Promise<GroupRow | undefined> {
  const [row] = await sql<GroupRow[]>`
    update promocode_groups set name = ${name} where project_id = ${projectId} and id = ${id} returning id, name`;
  return row;
}

/** Deletes the group together with its remaining codes. */
/** Returns whether it was there. */
export async function deleteGroupRow(sql: Sql, projectId: string, id: string): Promise<boolean> {
  return (await sql`delete from promocode_groups where project_id = ${projectId} and id = ${id}`.count()) > 0;
}
