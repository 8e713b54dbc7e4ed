import type { Sql } from '../../platform/database/database.ts';
import { idleMs, longestMs } from '../auth/session.ts';
import { forgetSessions } from '../auth/session-store.ts';
import { forgetSignInLinks } from '../auth/sign-in-store.ts';
import { forgetAfterMs } from './attempts.ts';
import { forgetOldAttempts } from './attempts-store.ts';

/** For housekeeping: deletes sessions and links that have lapsed, and attempts that no longer count. */
export async function forgetOldSignIns(sql: Sql, now: Date): Promise<void> {
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  await forgetSessions(sql, { seenBefore: before(idleMs), startedBefore: before(longestMs) });
  await forgetSignInLinks(sql, now);
  await forgetOldAttempts(sql, before(forgetAfterMs));
}
