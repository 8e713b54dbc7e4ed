import type { Sql } from '../database/database.ts';

export type JobRow = { name: string; began_at: Date; ended_at: Date | null; error: string | null };

/** The last run of each job that has ever run. */
export function lastRuns(sql: Sql): Promise<JobRow[]> {
  return sql<JobRow[]>`select name, began_at, ended_at, error from jobs`;
}

/** False when another process has begun a run since `last` was read. */
export async function beginRun(
  sql: Sql,
  name: string,
  last: Pick<JobRow, 'began_at'> | null,
  now: Date,
): Promise<boolean> {
  const begun = await sql`
    insert into jobs (name, began_at) values (${name}, ${now})
    on conflict (name) do update set began_at = excluded.began_at
    where jobs.began_at = ${last?.began_at ?? null}`.count();
  return begun > 0;
}

/** `error` is null for a successful run. */
export async function endRun(sql: Sql, name: string, now: Date, error: string | null): Promise<void> {
  await sql`update jobs set ended_at = ${now}, error = ${error} where name = ${name}`;
}
