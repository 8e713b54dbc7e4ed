import type { Sql } from './pool.ts';

/** Fails when the database does not answer. */
export async function ping(sql: Sql): Promise<void> {
  await sql`select 1`;
}
