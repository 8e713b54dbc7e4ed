import type { Sql } from '../../platform/database/database.ts';

export type ConversionRow = {
  id: string;
  key: string;
  name: string | null;
  profile_id: string;
  mailing_id: string | null;
  happened_at: Date;
  created_at: Date;
};

export type NewConversion = Omit<ConversionRow, 'mailing_id'> & { project_id: string };

const columns = (sql: Sql) => sql`id, key, name, profile_id, mailing_id, happened_at, created_at`;

/**
 * Stores a conversion for the mailing that the client got last before it, within the project's days. Undefined when the
 * key is known.
 */
export async function insertConversion(
  sql: Sql,
  { project_id, id, key, name, profile_id, happened_at, created_at }: NewConversion,
): Promise<ConversionRow | undefined> {
  const [row] = await sql<ConversionRow[]>`
    insert into conversions (project_id, id, key, name, profile_id, mailing_id, message_id, variant, happened_at, created_at)
    select ${project_id}::uuid, ${id}::uuid, ${key}, ${name}, ${profile_id}::uuid, latest.mailing_id, latest.message_id,
      latest.variant, ${happened_at}::timestamptz, ${created_at}::timestamptz
    from (values (0)) as one
    left join converting_message(${project_id}, ${profile_id}, ${happened_at}) as latest on true
    on conflict do nothing
    returning ${columns(sql)}`;
  return row;
}

/** Whether the client of a conversion is still a client of their own. A merge ends that. */
export async function isProfile(sql: Sql, projectId: string, id: string): Promise<boolean> {
  const [row] = await sql`select from profiles where project_id = ${projectId} and id = ${id}`;
  return row !== undefined;
}

export async function findConversion(
  sql: Sql,
  projectId: string,
  by: { key: string } | { id: string },
): Promise<ConversionRow | undefined> {
  const [row] = await sql<ConversionRow[]>`
    select ${columns(sql)} from conversions
    where project_id = ${projectId} and ${'key' in by ? sql`key = ${by.key}` : sql`id = ${by.id}`}`;
  return row;
}
