import type { Sql } from '../storage/database.ts';
import type { AttachmentKey } from './address.ts';

export type AttachmentRow = { name: string; media_type: string; size: number };

export type NewAttachment = AttachmentKey & {
  name: string;
  mediaType: string;
  size: number;
  uploadedBy: string | null;
  createdAt: Date;
};

/** What nobody in particular has uploaded counts as used from the beginning. */
export async function insertAttachment(sql: Sql, attachment: NewAttachment): Promise<void> {
  const { projectId, id, name, mediaType, size, uploadedBy, createdAt } = attachment;
  await sql`
    insert into attachments (project_id, id, name, media_type, size, uploaded_by, created_at, used_at)
    values (${projectId}, ${id}, ${name}, ${mediaType}, ${size}, ${uploadedBy}, ${createdAt},
      ${uploadedBy === null ? createdAt : null})`;
}

export async function findAttachment(
  sql: Sql,
  { projectId, id }: AttachmentKey,
): Promise<AttachmentRow | null> {
  const [row] = await sql<AttachmentRow[]>`
    select name, media_type, size from attachments where project_id = ${projectId} and id = ${id}`;
  return row ?? null;
}

/** Null unless this very client has uploaded it. */
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

type KeyRow = { project_id: string; id: string };

/** The oldest of those that were uploaded before that moment and never used. */
export async function deleteUnused(sql: Sql, before: Date, most: number): Promise<AttachmentKey[]> {
  const rows = await sql<KeyRow[]>`
    delete from attachments where (project_id, id) in (
      select project_id, id from attachments where used_at is null and created_at < ${before}
      order by created_at limit ${most} for update skip locked
    ) and used_at is null
    returning project_id, id`;
  return rows.map(({ project_id, id }) => ({ projectId: project_id, id }));
}
