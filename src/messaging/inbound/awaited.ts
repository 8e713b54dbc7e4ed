import type { Sql } from '../../platform/database/database.ts';
import { type AwaitedRow, findAwaited } from './awaited-store.ts';

type Round = {
  since: Date;
  /** The end of the last round's older messages. */
  turn: string | null;
  most?: number;
};

/**
 * The messages of one round: the newest ones, whose client is most likely to read now, and as many older ones. The older
 * ones take turns, so that each is asked about however many there are.
 */
export async function awaitedInTurn(
  sql: Sql,
  channel: { projectId: string; id: string },
  { since, turn, most = 500 }: Round,
): Promise<{ rows: AwaitedRow[]; turn: string | null }> {
  const newest = await findAwaited(sql, channel, { since, before: null, most });
  const last = newest.at(-1)?.id;
  if (last === undefined || newest.length < most) return { rows: newest, turn: null };
  const before = turn !== null && turn < last ? turn : last;
  const older = await findAwaited(sql, channel, { since, before, most });
  return {
    rows: [...newest, ...older],
    turn: older.length < most ? null : (older.at(-1)?.id ?? null),
  };
}
