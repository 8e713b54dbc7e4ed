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

/** Deletes lapsed sessions. */
export async function forgetSessions(
  sql: Sql,
  { seenBefore, startedBefore }: { seenBefore: Date; startedBefore: Date },
): Promise<void> {
  await sql`delete from person_sessions where seen_at <= ${seenBefore} or created_at <= ${startedBefore}`;
}
