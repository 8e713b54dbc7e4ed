import type { Sql } from '../database/database.ts';

export type Taken = { subject: Buffer; taken: number; ends_at: Date };

/**
 * Counts one more of each subject. A count whose period is over begins anew. One statement counts all, in the same
 * order for every caller.
 */
export async function countOne(
  sql: Sql,
  subjects: readonly { subject: Buffer; endsAt: Date }[],
  now: Date,
): Promise<Taken[]> {
  return sql<Taken[]>`
    insert into rates as known (subject, taken, ends_at)
    select subject, 1, ends_at
    from unnest(${subjects.map(({ subject }) => subject)}::bytea[], ${subjects.map(({ endsAt }) => endsAt)}::timestamptz[])
      as fresh (subject, ends_at)
    order by subject
    on conflict (subject) do update set
      taken = case when known.ends_at <= ${now} then 1 else known.taken + 1 end,
      ends_at = case when known.ends_at <= ${now} then excluded.ends_at else known.ends_at end
    returning subject, taken, ends_at`;
}

export async function forgetRates(sql: Sql, now: Date): Promise<void> {
  await sql`delete from rates where ends_at <= ${now}`;
}
