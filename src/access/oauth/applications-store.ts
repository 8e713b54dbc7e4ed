import type { Sql } from '../../platform/database/database.ts';
import { deletedLinksOf } from '../iframe/store.ts';

export type NewApplication = {
  id: string;
  name: string;
  secretHash: Buffer;
  redirectUris: string[];
  createdAt: Date;
  /** The project whose administrators may change it. Null for an application of the command line. */
  ownerId: string | null;
};

export async function insertApplication(sql: Sql, application: NewApplication): Promise<void> {
  await sql`
    insert into applications (id, name, secret_hash, redirect_uris, created_at, owner_id)
    values (${application.id}, ${application.name}, ${application.secretHash}, ${application.redirectUris},
      ${application.createdAt}, ${application.ownerId})`;
}

/** Absent fields stay unchanged. False when the project owns no such application. */
export async function updateApplicationRow(
  sql: Sql,
  { ownerId, id }: { ownerId: string; id: string },
  { name, redirectUris, secretHash }: { name?: string; redirectUris?: string[]; secretHash?: Buffer },
): Promise<boolean> {
  const rows = await sql`
    update applications set name = coalesce(${name ?? null}, name),
      redirect_uris = coalesce(${redirectUris ?? null}::text[], redirect_uris),
      secret_hash = coalesce(${secretHash ?? null}::bytea, secret_hash)
    where id = ${id} and owner_id = ${ownerId}
    returning 1`;
  return rows.length === 1;
}

/** The application can neither be granted access nor renew a token: its new secret is unknown. */
export async function closeApplication(
  sql: Sql,
  ownerId: string,
  id: string,
  secretHash: Buffer,
): Promise<void> {
  await sql`
    update applications set redirect_uris = '{}', secret_hash = ${secretHash}
    where id = ${id} and owner_id = ${ownerId}`;
}

/** Replaces the secret, regardless of the application's owner. */
export async function replaceSecret(sql: Sql, id: string, secretHash: Buffer): Promise<void> {
  await sql`update applications set secret_hash = ${secretHash} where id = ${id}`;
}

/** Deletes the application with its remaining tokens. Returns whether it was there. */
export async function deleteApplicationRow(sql: Sql, ownerId: string, id: string): Promise<boolean> {
  const rows = await sql`
    with gone as (delete from applications where id = ${id} and owner_id = ${ownerId} returning id),
    codes as (delete from oauth_codes using gone where application_id = gone.id),
    links as (${deletedLinksOf(sql, sql`(select id from gone)`)}),
    families as (delete from token_families using gone where application_id = gone.id)
    select from gone`;
  return rows.length > 0;
}
