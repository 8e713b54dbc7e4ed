import type { Sql } from '../../platform/database/database.ts';

export type NewSession = { tokenHash: Buffer; now: Date };

/**
 * Opens a session for a user who has proved this password. False when they have another one by now. A change of the
 * password is waited for, and waits for this.
 */
export async function insertSession(
  sql: Sql,
  session: NewSession & { userId: string; passwordHash: string | null },
): Promise<boolean> {
  const rows = await sql`
    insert into person_sessions (token_hash, user_id, created_at, seen_at)
    select ${session.tokenHash}, id, ${session.now}, ${session.now} from users
    where id = ${session.userId} and password_hash is not distinct from ${session.passwordHash} for share
    returning 1`;
  return rows.length === 1;
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
