import type { Sql } from './pool.ts';

/** Fails when the database does not answer, or refuses writes. */
export async function ping(sql: Sql): Promise<void> {
  await sql`select from projects where false for update`;
}
