import type { Sql } from '../../platform/database/database.ts';
import { idleMs, longestMs } from '../auth/session.ts';
import { forgetAfterMs } from './attempts.ts';
import { forgetSignIns } from './session-store.ts';

/** For housekeeping: deletes sessions and links that have lapsed, and attempts that no longer count. */
export function forgetOldSignIns(database: Sql, now: Date): Promise<void> {
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  return forgetSignIns(database, {
    now,
    seenBefore: before(idleMs),
    startedBefore: before(longestMs),
    triedBefore: before(forgetAfterMs),
  });
}
