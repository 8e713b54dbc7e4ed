import type { Sql } from '../platform/database/database.ts';
import type { Unit } from './units.ts';

/** What identifies a row in its unit, as JSON. */
export type Key = string;

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

/**
 * Where an archive ends, and the digest of its rows. An archive of rows that had changed has no digest, and one of an
 * earlier version has neither.
 */
export type Extent = { last_key: Key | null; digest: string | null };

const columns = (sql: Sql) => sql`
  project_id, table_name, month, part, row_count, bytes, sha256, is_sealed, made_at, removed_at`;

/** The archives of a unit, the newest first. */
export function findArchives(sql: Sql, { projectId, table, month }: Unit): Promise<(ArchiveRow & Extent)[]> {
  return sql<(ArchiveRow & Extent)[]>`
    select ${columns(sql)}, last_key::text as last_key, digest::text as digest from archives
    where project_id = ${projectId} and table_name = ${table} and month = ${month.name} order by part desc`;
}

/** All archives, or those of one project. */
export function listArchives(sql: Sql, projectId: string | null): Promise<ArchiveRow[]> {
  return sql<ArchiveRow[]>`
    select ${columns(sql)} from archives where ${projectId === null ? sql`true` : sql`project_id = ${projectId}`}
    order by project_id, table_name, month, part`;
}

export async function insertArchive(
  sql: Sql,
  row: Omit<ArchiveRow, 'removed_at'> & Partial<Extent>,
): Promise<void> {
  const { project_id, table_name, month, part, row_count, bytes, sha256, is_sealed, made_at } = row;
  const { last_key = null, digest = null } = row;
  await sql`
    insert into archives (project_id, table_name, month, part, row_count, bytes, sha256, is_sealed, made_at, last_key, digest)
    values (${project_id}, ${table_name}, ${month}, ${part}, ${row_count}, ${bytes}, ${sha256}, ${is_sealed}, ${made_at},
      ${last_key}::jsonb, ${digest}::numeric)`;
}

/** What the rows of an archive have become is archived, too. */
export async function setDigest(
  sql: Sql,
  { project_id, table_name, month, part }: Pick<ArchiveRow, 'project_id' | 'table_name' | 'month' | 'part'>,
  digest: string,
): Promise<void> {
  await sql`
    update archives set digest = ${digest}::numeric
    where project_id = ${project_id} and table_name = ${table_name} and month = ${month} and part = ${part}`;
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
