import type { Sql } from './pool.ts';

/** Makes the monthly partitions of the big tables, from this month on. Returns how many were missing. */
export async function ensurePartitions(sql: Sql, now: Date, months: number): Promise<number> {
  const [row] = await sql<[{ made: number }]>`select ensure_partitions(${now}, ${months}) as made`;
  return row.made;
}
