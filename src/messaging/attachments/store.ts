import type { Sql } from '../../platform/database/database.ts';
import type { AttachmentKey } from './address.ts';

export type AttachmentRow = { name: string; media_type: string; size: number };

export type NewAttachment = AttachmentKey & {
  name: string;
  mediaType: string;
  size: number;
  uploadedBy: string | null;
  /** Whether it goes with the message that it came with. */
  isOfMessage: boolean;
  createdAt: Date;
};

/**
 * An upload without a client counts as used from the beginning. Returns false, and stores nothing, when the project
 * would exceed its quota.
 */
export async function insertAttachment(sql: Sql, attachment: NewAttachment, quota: number): Promise<boolean> {
  const { projectId, id, name, mediaType, size, uploadedBy, isOfMessage, createdAt } = attachment;
  const count = await sql`
    with room as (
      insert into file_quotas as known (project_id, bytes)
      select ${projectId}::uuid, ${size}::bigint where ${size} <= ${quota}::bigint
      on conflict (project_id) do update set bytes = known.bytes + excluded.bytes
      where known.bytes + excluded.bytes <= ${quota}
      returning project_id
    )
    insert into attachments (project_id, id, name, media_type, size, uploaded_by, of_message, created_at, used_at)
    select project_id, ${id}, ${name}, ${mediaType}, ${size}, ${uploadedBy}, ${isOfMessage}, ${createdAt}::timestamptz,
      ${uploadedBy === null ? createdAt : null}::timestamptz
    from room`.count();
  return count === 1;
}

export async function hasRoom(sql: Sql, projectId: string, size: number, quota: number): Promise<boolean> {
  const [row] = await sql<[{ has_room: boolean }]>`
    select coalesce(sum(bytes), 0) + ${size}::bigint <= ${quota}::bigint as has_room
    from file_quotas where project_id = ${projectId}`;
  return row.has_room;
}

export async function findAttachment(
  sql: Sql,
  { projectId, id }: AttachmentKey,
): Promise<AttachmentRow | null> {
  const [row] = await sql<AttachmentRow[]>`
    select name, media_type, size from attachments where project_id = ${projectId} and id = ${id}`;
  return row ?? null;
}

/** Null unless this client uploaded it. */
export async function markUsed(
  sql: Sql,
  { projectId, id }: AttachmentKey,
  uploadedBy: string,
  now: Date,
): Promise<AttachmentRow | null> {
  const [row] = await sql<AttachmentRow[]>`
    update attachments set used_at = coalesce(used_at, ${now})
    where project_id = ${projectId} and id = ${id} and uploaded_by = ${uploadedBy}
    returning name, media_type, size`;
  return row ?? null;
}

type KeyRow = { project_id: string; id: string; size: number };

/** Deletes the oldest uploads from before that time that were never used. */
export async function deleteUnused(
  sql: Sql,
  before: Date,
  most: number,
): Promise<(AttachmentKey & { size: number })[]> {
  const rows = await sql<KeyRow[]>`
    delete from attachments where (project_id, id) in (
      select project_id, id from attachments where used_at is null and created_at < ${before}
      order by created_at limit ${most} for update skip locked
    ) and used_at is null
    returning project_id, id, size`;
  return rows.map(({ project_id, id, size }) => ({ projectId: project_id, id, size }));
}

/**
 * The oldest files that a message named before that moment, and that go with it. A file from before the column is known
 * by its uploader, or by the client who sent it. A file that is still to be fetched stays.
 */
export async function findOfMessages(
  sql: Sql,
  projectId: string,
  before: Date,
  most: number,
): Promise<(AttachmentKey & { size: number })[]> {
  const rows = await sql<KeyRow[]>`
    select project_id, id, size from attachments
    where project_id = ${projectId} and id < uuid_floor(${before}) and used_at < ${before}
      and coalesce(of_message, uploaded_by is not null or exists (
        select from client_files where client_files.project_id = attachments.project_id and client_files.id = attachments.id
      ))
      and not exists (
        select from client_files
        where client_files.project_id = attachments.project_id and client_files.id = attachments.id
          and (due_at is not null or message_id is not null)
      )
    order by id limit ${most}`;
  return rows.map(({ project_id, id, size }) => ({ projectId: project_id, id, size }));
}

/** Returns those that were there. */
export async function deleteFiles(
  sql: Sql,
  projectId: string,
  ids: readonly string[],
): Promise<(AttachmentKey & { size: number })[]> {
  const rows = await sql<KeyRow[]>`
    delete from attachments where project_id = ${projectId} and id = any (${ids}::uuid[])
    returning project_id, id, size`;
  return rows.map(({ project_id, id, size }) => ({ projectId: project_id, id, size }));
}

/** Call it in the transaction that deletes the files. */
export async function freeRoom(
  sql: Sql,
  files: readonly { projectId: string; size: number }[],
): Promise<void> {
  await sql`
    update file_quotas set bytes = file_quotas.bytes - freed.bytes
    from (
      select project_id, sum(size) as bytes
      from unnest(${files.map(({ projectId }) => projectId)}::uuid[], ${files.map(({ size }) => size)}::bigint[])
        as files (project_id, size)
      group by project_id
    ) as freed
    where file_quotas.project_id = freed.project_id`;
}

export type StoredFile = AttachmentKey & { mediaType: string };

/** All files, for a backup. */
export function findStoredFiles(sql: Sql): Promise<StoredFile[]> {
  return sql<StoredFile[]>`
    select project_id as "projectId", id, media_type as "mediaType" from attachments order by id`;
}
