import type { Context } from '../context.ts';
import type { Sql } from '../database/database.ts';
import { Throttled } from '../problem.ts';
import { sha256 } from '../secrets/secret.ts';
import { countOne } from './rates-store.ts';

/** In a transaction the count is undone with it. */
type Tools = Pick<Context, 'clock'> & { sql: Sql };

/** The limit on how often one subject may do something. */
export type Rate = { subject: string; most: number; inMs: number };

/**
 * Counts one for each of the rates in the database, across all processes. Throws `Throttled` when a rate is exceeded.
 */
export async function keepTo(context: Tools, rates: readonly Rate[]): Promise<void> {
  const pause = await pauseOf(context, rates);
  if (pause > 0) throw new Throttled(Math.ceil(pause / 1000));
}

/** The same, but returns the milliseconds to wait. Zero means that no rate is exceeded. */
export async function pauseOf({ sql, clock }: Tools, rates: readonly Rate[]): Promise<number> {
  const now = clock.now();
  const counted = rates.map(({ subject, most, inMs }) => ({
    subject: sha256(subject),
    most,
    endsAt: new Date(now.getTime() + inMs),
  }));
  const most = new Map(counted.map((rate) => [rate.subject.toString('hex'), rate.most]));
  const taken = await countOne(sql, counted, now);
  const over = taken.filter((row) => row.taken > (most.get(row.subject.toString('hex')) ?? 0));
  return Math.max(0, ...over.map(({ ends_at }) => ends_at.getTime() - now.getTime()));
}
