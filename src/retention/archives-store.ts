import type { Sql } from '../platform/database/database.ts';
import type { Unit } from './units.ts';

/** An archive that is complete and verified. */
export type ArchiveRow = {
  project_id: string;
  table_name: string;
  month: string;
  part: number;
  row_count: number;
  bytes: number;
  sha256: string;
  /** Encrypted with the secret key. The first archives were not. */
  is_sealed: boolean;
  made_at: Date;
  removed_at: Date | null;
};

/** The archives of a unit, the newest first. */
export function findArchives(sql: Sql, { projectId, table, month }: Unit): Promise<ArchiveRow[]> {
  return sql<ArchiveRow[]>`
    select * from archives
    where project_id = ${projectId} and table_name = ${table} and month = ${month.name} order by part desc`;
}

/** All archives, or those of one project. */
export function listArchives(sql: Sql, projectId: string | null): Promise<ArchiveRow[]> {
  return sql<ArchiveRow[]>`
    select * from archives where ${projectId === null ? sql`true` : sql`project_id = ${projectId}`}
    order by project_id, table_name, month, part`;
}

export async function insertArchive(sql: Sql, row: Omit<ArchiveRow, 'removed_at'>): Promise<void> {
  const { project_id, table_name, month, part, row_count, bytes, sha256, is_sealed, made_at } = row;
  await sql`
    insert into archives (project_id, table_name, month, part, row_count, bytes, sha256, is_sealed, made_at)
    values (${project_id}, ${table_name}, ${month}, ${part}, ${row_count}, ${bytes}, ${sha256}, ${is_sealed}, ${made_at})`;
}

export async function markRemoved(
  sql: Sql,
  { project_id, table_name, month, part }: Pick<ArchiveRow, 'project_id' | 'table_name' | 'month' | 'part'>,
  now: Date,
): Promise<void> {
  await sql`
    update archives set removed_at = ${now}
    where project_id = ${project_id} and table_name = ${table_name} and month = ${month} and part = ${part}`;
}
