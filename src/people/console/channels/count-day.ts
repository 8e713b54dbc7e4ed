import type { Sql } from '../../../platform/database/database.ts';
import { lastUuid, momentOfId } from '../../../platform/id.ts';
import { countOutcomes, type Day, type OutcomeCount } from './deliveries-store.ts';

/** Others have their turn at the database between two of these pieces. */
const pieceOf = 5_000;
const mostLooked = 200_000;

export type DayCounts = {
  counts: OutcomeCount[];
  /** Every message that was made since then is counted. Null: every message of the day is. */
  completeFrom: Date | null;
};

/** The results of a channel's day, from the project's newest messages on. An hour may come several times. */
export async function countDay(sql: Sql, day: Day, most = mostLooked): Promise<DayCounts> {
  const counts: OutcomeCount[] = [];
  let before = lastUuid;
  for (let left = most; left > 0; left -= pieceOf) {
    const piece = await countOutcomes(sql, day, { before, among: Math.min(left, pieceOf) });
    counts.push(...piece.counts);
    if (piece.lookedTo === null) return { counts, completeFrom: null };
    before = piece.lookedTo;
  }
  // Others of the same millisecond may not have been read.
  return { counts, completeFrom: new Date(momentOfId(before) + 1) };
}
