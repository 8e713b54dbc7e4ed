import type { Fragment, Sql } from '../../platform/database/database.ts';
import { fewIds } from '../../platform/database/few-rows.ts';
import { idsOfPage } from '../../platform/database/page.ts';
import { countRows } from '../../platform/database/row-counts.ts';
import type { Slice } from '../../platform/outbound/nearer-end.ts';
import type { Entry } from './audit.ts';
import type { AuditRow } from './present.ts';
import type { AuditAction } from './schema.ts';

/**
 * An INSERT to be placed in the statement that makes a change. It records each row of `source`, a CTE with a
 * profile's states `before` and `after`, and the `changes` between them. Either state may be null.
 */
export const insertRecord = (
  sql: Sql,
  action: AuditAction,
  { id, actor, now }: Entry,
  source: Fragment,
) => sql`
  insert into profile_audit (project_id, id, profile_id, action, changes, actor_type, actor_name, created_at)
  select coalesce((after).project_id, (before).project_id), ${id}, coalesce((after).id, (before).id), ${action},
    changes, ${actor.type}, ${actor.name}, ${now}
  from ${source}`;

const columns = (sql: Sql) => sql`id, profile_id, action, changes, actor_type, actor_name, created_at`;

export async function findRecord(sql: Sql, projectId: string, id: string): Promise<AuditRow | undefined> {
  const [row] = await sql<AuditRow[]>`
    select ${columns(sql)} from profile_audit where project_id = ${projectId} and id = ${id}`;
  return row;
}

/** Newest first. `count` is the number of records: of one profile, or of all when `profileId` is null. */
export function recordsPage(
  sql: Sql,
  projectId: string,
  profileId: string | null,
  count: number,
  page: Slice,
): Promise<AuditRow[]> {
  const rows = sql`
    select id from profile_audit
    where project_id = ${projectId} ${profileId === null ? sql`` : sql`and profile_id = ${profileId}`}`;
  return sql<AuditRow[]>`
    select ${columns(sql)} from ${fewIds(sql, idsOfPage(sql, rows, count, page), page.limit)}
    join profile_audit using (id) where project_id = ${projectId} order by id desc`;
}

export async function countRecords(sql: Sql, projectId: string, profileId: string | null): Promise<number> {
  if (profileId === null) return countRows(sql, projectId, 'profile_audit');
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from profile_audit where project_id = ${projectId} and profile_id = ${profileId}`;
  return row.count;
}

/** Whether the profile exists, or has existed. */
export async function hasProfile(sql: Sql, projectId: string, id: string): Promise<boolean> {
  const [row] = await sql<[{ known: boolean }]>`
    select exists (select from profiles where project_id = ${projectId} and id = ${id})
      or exists (select from profile_audit where project_id = ${projectId} and profile_id = ${id}) as known`;
  return row.known;
}
