import type { Sql } from '../../platform/database/database.ts';
import type { Email } from './email.ts';

export type OddAddress =
  | { table: 'users'; id: string; projectId: null; email: string }
  | { table: 'operators'; id: string; projectId: string; email: string };

/** The addresses that may not be in canonical form, oldest first. */
export function findOddAddresses(sql: Sql): Promise<OddAddress[]> {
  const isOdd = sql`email collate "C" ~ '[^-a-z0-9._+@]'`;
  return sql<OddAddress[]>`
    select 'users' as table, id, null as "projectId", email, created_at from users where ${isOdd}
    union all
    select 'operators', id, project_id, email, created_at from operators where ${isOdd}
    order by created_at, id`;
}

export async function settleUser(sql: Sql, id: string, email: Email): Promise<void> {
  await sql`
    update users set email = ${email}
    where id = ${id} and not exists (select from users other where other.email = ${email})`;
}

export async function settleOperator(sql: Sql, projectId: string, id: string, email: Email): Promise<void> {
  await sql`
    update operators set email = ${email}
    where project_id = ${projectId} and id = ${id} and not exists (
      select from operators other where other.project_id = ${projectId} and other.email = ${email}
    )`;
}
