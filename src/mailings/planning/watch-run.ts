import type { Context } from '../../platform/context.ts';
import { firstProblem } from '../lists-store.ts';
import { completeRun, countsOf, type LeasedMailing, type MailingRow } from '../planner-store.ts';
import { nextMoment } from '../schedule.ts';
import { durationOf, figuresOf, inWords, leftOut, openIn } from './progress.ts';
import { rest } from './rest.ts';

const lookAgainMs = 1_000;

/** Completes the run once every planned message has ended. Until then, looks again after a while. */
export async function watchRun(context: Context, held: LeasedMailing): Promise<MailingRow | undefined> {
  const { sql, clock, log } = context;
  const now = clock.now();
  const counts = await countsOf(sql, held);
  if (openIn(counts) > 0) return rest(context, held, new Date(now.getTime() + lookAgainMs));

  const progress = figuresOf(held.progress, counts, now);
  const nextAt = held.regular_cron === null ? null : nextMoment(held.regular_cron, now);
  const row = await completeRun(sql, held, {
    now,
    nextAt,
    progress: { ...progress, seconds_left: 0, tries: 0 },
    detail: leftOut(progress.prepared ?? 0, held.progress.problems ?? 0, await firstProblem(sql, held)),
  });
  if (row) {
    const tookMs = now.getTime() - (held.started_at ?? now).getTime();
    const { prepared, sent, problems } = row.progress;
    log.info(
      { mailing: row.id, run: row.run, prepared, sent },
      `mailing "${row.name}": run ${row.run} is completed after ${durationOf(Math.round(tookMs / 1000))}: ${inWords({ prepared, sent, problems })}`,
    );
  }
  return row;
}
