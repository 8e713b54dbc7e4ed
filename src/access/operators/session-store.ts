import type { Sql } from '../../platform/database/database.ts';

export async function insertSession(
  sql: Sql,
  { tokenHash, userId, now }: { tokenHash: Buffer; userId: string; now: Date },
): Promise<void> {
  await sql`
    insert into person_sessions (token_hash, user_id, created_at, seen_at)
    values (${tokenHash}, ${userId}, ${now}, ${now})`;
}

export async function endSession(sql: Sql, tokenHash: Buffer): Promise<void> {
  await sql`delete from person_sessions where token_hash = ${tokenHash}`;
}

/** Ends every session of this session's person. */
export async function endAllSessions(sql: Sql, tokenHash: Buffer): Promise<void> {
  await sql`
    delete from person_sessions
    where user_id = (select user_id from person_sessions where token_hash = ${tokenHash})`;
}

type Ages = { now: Date; seenBefore: Date; startedBefore: Date; triedBefore: Date };

/** Deletes sessions and links that have lapsed, and attempts that no longer count. */
export async function forgetSignIns(
  sql: Sql,
  { now, seenBefore, startedBefore, triedBefore }: Ages,
): Promise<void> {
  await sql`
    with sessions as (
      delete from person_sessions where seen_at <= ${seenBefore} or created_at <= ${startedBefore}
    ),
    links as (delete from sign_in_links where expires_at <= ${now})
    delete from sign_in_attempts where last_at < ${triedBefore}`;
}
