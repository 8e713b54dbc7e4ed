import type { JSONValue, Sql } from '../../platform/database/database.ts';
import { type FairLease, fairlyDue } from '../../platform/database/fair-lease.ts';
import { messagesWithFiles } from '../messages/moves-store.ts';
import type { AttachmentKey } from './address.ts';

export type FileSource = { url: string } | { reference: string };

export type ClientFileRow = {
  project_id: string;
  id: string;
  channel_id: string;
  source: FileSource;
  name: string;
  attempts: number;
};

export type NewClientFile = AttachmentKey & {
  channelId: string;
  source: FileSource & { [name: string]: JSONValue };
  name: string;
  now: Date;
};

/** The file is due at once. */
export async function insertClientFile(
  sql: Sql,
  { projectId, id, channelId, source, name, now }: NewClientFile,
): Promise<void> {
  await sql`
    insert into client_files (project_id, id, channel_id, source, name, created_at, due_at)
    values (${projectId}, ${id}, ${channelId}, ${sql.json(source)}, ${name}, ${now}, ${now})`;
}

const fileColumns = (sql: Sql) => sql`project_id, id, channel_id, source, name, attempts`;

/** Leases due files, the oldest first, and few of one project. */
export function leaseDueFiles(sql: Sql, lease: FairLease): Promise<ClientFileRow[]> {
  return sql<ClientFileRow[]>`
    update client_files set due_at = ${lease.until}, attempts = attempts + 1
    where due_at <= ${lease.now} and (project_id, id) in (${fairlyDue(sql, 'client_files', 'due_at', lease)})
    returning ${fileColumns(sql)}`;
}

/** Leases this file if it is due. */
export async function leaseFile(
  sql: Sql,
  { projectId, id }: AttachmentKey,
  now: Date,
  until: Date,
): Promise<ClientFileRow | null> {
  const [row] = await sql<ClientFileRow[]>`
    update client_files set due_at = ${until}, attempts = attempts + 1
    where project_id = ${projectId} and id = ${id} and due_at <= ${now}
    returning ${fileColumns(sql)}`;
  return row ?? null;
}

/** Whether the file is still to come. */
export async function isAwaited(sql: Sql, { projectId, id }: AttachmentKey): Promise<boolean> {
  const rows = await sql`
    select from client_files where project_id = ${projectId} and id = ${id} and due_at is not null`;
  return rows.length > 0;
}

/** Notes the result of an attempt. A null `due` ends the attempts. */
export async function noteTry(
  sql: Sql,
  { project_id, id }: Pick<ClientFileRow, 'project_id' | 'id'>,
  { due, problem }: { due: Date | null; problem: string | null },
): Promise<void> {
  await sql`
    update client_files set due_at = ${due}, problem = ${problem} where project_id = ${project_id} and id = ${id}`;
}

export type UnnamedFile = { project_id: string; id: string; name: string; message_id: string };

/** Files in messages that do not have our address yet. */
export function findUnnamed(sql: Sql, most: number): Promise<UnnamedFile[]> {
  return sql<UnnamedFile[]>`
    select project_id, id, name, message_id from client_files where message_id is not null order by id limit ${most}`;
}

/** Writes the addresses of files into their messages. */
export async function nameFiles(
  sql: Sql,
  files: readonly { project_id: string; id: string; message_id: string; url: string }[],
): Promise<void> {
  await sql`
    with named as (
      select * from jsonb_to_recordset(${sql.json(files)}) as named (project_id uuid, id uuid, message_id uuid, url text)
    ),
    told as (
      ${messagesWithFiles(sql, sql`(select project_id, message_id as id, url from named)`)}
    )
    update client_files set message_id = null from named
    where client_files.project_id = named.project_id and client_files.id = named.id`;
}

/** Forgets where clients' files came from. */
export async function deleteClientFiles(sql: Sql, projectId: string, ids: readonly string[]): Promise<void> {
  await sql`delete from client_files where project_id = ${projectId} and id = any (${ids}::uuid[])`;
}
