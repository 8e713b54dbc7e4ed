import type { Sql } from '../../platform/database/database.ts';

type Limits = { free: number; longestPauseSeconds: number; now: Date; forgetBefore: Date };

/**
 * Counts an attempt, unless it falls into the pause after an earlier one. Returns the remaining milliseconds of that
 * pause, or 0 for a counted attempt. Of several concurrent attempts each sees those before it.
 */
export async function countAttempt(
  sql: Sql,
  subject: Buffer,
  { free, longestPauseSeconds, now, forgetBefore }: Limits,
): Promise<number> {
  const failures = sql`case when known.last_at < ${forgetBefore} then 1 else known.failures + 1 end`;
  const [row] = await sql<[{ was_refused: boolean; paused_until: Date }]>`
    insert into sign_in_attempts as known (subject, failures, paused_until, was_refused, last_at)
    values (${subject}, 1, ${now}, false, ${now})
    on conflict (subject) do update set (failures, paused_until, was_refused, last_at) = (
      select
        case when paused then known.failures else ${failures} end,
        case
          when paused then known.paused_until
          when ${failures} < ${free} then ${now}
          else ${now}::timestamptz + least(${longestPauseSeconds}, 2 ^ least(${failures} - ${free}, 12)) * interval '1 second'
        end,
        paused,
        case when paused then known.last_at else ${now} end
      from (select known.paused_until > ${now} as paused) as state
    )
    returning was_refused, paused_until`;
  return row.was_refused ? row.paused_until.getTime() - now.getTime() : 0;
}

export async function forgetAttempts(sql: Sql, subject: Buffer): Promise<void> {
  await sql`delete from sign_in_attempts where subject = ${subject}`;
}

export async function takeBackAttempt(sql: Sql, subject: Buffer): Promise<void> {
  await sql`update sign_in_attempts set failures = failures - 1, paused_until = last_at where subject = ${subject}`;
}

/** Deletes attempts that no longer count. */
export async function forgetOldAttempts(sql: Sql, before: Date): Promise<void> {
  await sql`delete from sign_in_attempts where last_at < ${before}`;
}
