import type { Sql } from '../platform/database/database.ts';

export type SecretRow = { name: string; host: string; sealed: Buffer };

/** The existing secrets among these names. */
export function findSecrets(sql: Sql, projectId: string, names: readonly string[]): Promise<SecretRow[]> {
  return sql<SecretRow[]>`
    select name, host, sealed from project_secrets
    where project_id = ${projectId} and name = any (${[...names]}::text[])`;
}

export type ListedSecret = { name: string; host: string; set_at: Date };

/** Sorted by name, without their values. */
export function listSecrets(sql: Sql, projectId: string): Promise<ListedSecret[]> {
  return sql<ListedSecret[]>`
    select name, host, set_at from project_secrets where project_id = ${projectId} order by name`;
}

/** Replaces a secret, host and value together. */
export async function saveSecret(
  sql: Sql,
  projectId: string,
  { name, host, sealed, setAt }: SecretRow & { setAt: Date },
): Promise<void> {
  await sql`
    insert into project_secrets (project_id, name, host, sealed, set_at)
    values (${projectId}, ${name}, ${host}, ${sealed}, ${setAt})
    on conflict (project_id, name) do update set
      host = excluded.host, sealed = excluded.sealed, set_at = excluded.set_at`;
}

export const deleteSecret = (sql: Sql, projectId: string, name: string): Promise<number> =>
  sql`delete from project_secrets where project_id = ${projectId} and name = ${name}`.count();
