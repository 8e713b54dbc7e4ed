import type { Context } from '../../platform/context.ts';
import { forgetLines } from '../lists-store.ts';
import { countsOf, type LeasedMailing, type MailingRow, writeStep } from '../planner-store.ts';
import { figuresOf, openIn, tooLate } from './progress.ts';
import { leaseEnd } from './rules.ts';
import { takeBackChunk } from './take-back-store.ts';

/**
 * Messages in flight end by themselves. A retry that waits again is taken back the next time, or cancelled by the
 * claim of sending. A call with an unknown end may wait for half a day. Each look reads all messages of the run, so
 * looks become rarer.
 */
const lookAgainMs = 2_000;
const rarestLookMs = 600_000;

/** Takes back the unsent messages of a stopped mailing, until none is open. */
export async function takeBack(context: Context, held: LeasedMailing): Promise<MailingRow | undefined> {
  const { sql, clock, log } = context;
  const now = clock.now();
  const row = await takeBackChunk(sql, held, { reason: reasonOf(held), leaseUntil: leaseEnd(now) });
  if (!row || row.progress.taken_back) return row;

  const counts = await countsOf(sql, row);
  const progress = figuresOf(row.progress, counts, now);
  const latest = { ...row, lease: held.lease };
  if (openIn(counts) > 0) {
    const { looks = 0 } = row.progress;
    const dueAt = new Date(now.getTime() + Math.min(lookAgainMs * 2 ** looks, rarestLookMs));
    return writeStep(sql, latest, { progress: { ...progress, looks: looks + 1 }, dueAt, ends: true });
  }
  await forgetLines(sql, held);
  log.info(
    { mailing: held.id, run: held.run },
    `mailing "${held.name}": ${endOf(held)} after ${progress.sent} of ${progress.prepared}`,
  );
  return writeStep(sql, latest, {
    stage: null,
    progress,
    dueAt: null,
    ends: true,
    ...(held.state === 'completed' && { detail: tooLate(counts) }),
  });
}

/** A completed mailing takes messages back if its moment came before their turn. */
const reasonOf = ({ state }: LeasedMailing): string =>
  state === 'completed'
    ? 'The mailing had to be done before the message was sent.'
    : 'The mailing was stopped.';

function endOf({ state }: LeasedMailing): string {
  if (state === 'completed') return 'out of time';
  return state === 'error' ? 'given up' : 'stopped';
}
