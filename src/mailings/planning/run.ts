import type { Context } from '../../platform/context.ts';
import { during } from '../../platform/telemetry/traces.ts';
import { codesOf } from '../audience.ts';
import { atOnceAtFirst } from '../chunk-size.ts';
import { firstProblem } from '../lists-store.ts';
import {
  beginRun,
  completeRun,
  countsOf,
  type LeasedMailing,
  type MailingRow,
  writeStep,
} from '../planner-store.ts';
import { nextMoment } from '../schedule.ts';
import { goOnAfterSample, sampleNow } from './after-sample.ts';
import { plan } from './plan.ts';
import { durationOf, figuresOf, inWords, leftOut, openIn } from './progress.ts';
import { readFiles } from './read-files.ts';
import { releaseChunk } from './release-store.ts';
import { leaseEnd } from './rules.ts';
import { handOver } from './spread.ts';
import { takeBack } from './take-back.ts';

const lookAgainMs = 1_000;
const tellEveryMs = 10_000;

/**
 * Takes a mailing's next step. Each step may be repeated, or interrupted anywhere, with the same result. Returns the
 * mailing while it is held. Returns undefined when it rests, or when the lease is lost.
 */
export async function takeStep(
  context: Context,
  held: LeasedMailing,
  stopping: AbortSignal,
): Promise<LeasedMailing | undefined> {
  return stillHeld(held, await stepOf(context, held, stopping));
}

function stepOf(
  context: Context,
  held: LeasedMailing,
  stopping: AbortSignal,
): Promise<MailingRow | undefined> {
  switch (held.state) {
    case 'planned':
      return beginNextRun(context, held);
    case 'in_process':
      return runStep(context, held, stopping);
    case 'stopped':
    case 'error':
    case 'completed':
      return held.stage === null ? restForEver(context, held) : takeBack(context, held);
  }
}

function runStep(
  context: Context,
  held: LeasedMailing,
  stopping: AbortSignal,
): Promise<MailingRow | undefined> {
  if (held.stage !== 'sending' && isLate(held, context.clock.now())) return endInTime(context, held);
  switch (held.stage) {
    case 'files':
      return readFiles(context, held, stopping);
    case 'planning':
      return during(spanOf(context, held), () => plan(context, held));
    case 'sending':
      return sendingStep(context, held);
    case 'stopping':
    case null:
      return watchRun(context, held);
  }
}

/** A page of the plan is a trace of its own. Its messages begin theirs when they are sent. */
const spanOf = ({ traces }: Context, { project_id: project, id: mailing }: LeasedMailing) =>
  traces?.begin({ name: 'plan mailing', kind: 'internal', facts: { project, mailing } });

const restForEver = ({ sql }: Context, held: LeasedMailing) =>
  writeStep(sql, held, { progress: {}, dueAt: null, ends: true });

const stillHeld = ({ lease }: LeasedMailing, row: MailingRow | undefined): LeasedMailing | undefined =>
  row?.lease === lease ? { ...row, lease } : undefined;

async function beginNextRun(
  { sql, clock, log }: Context,
  held: LeasedMailing,
): Promise<MailingRow | undefined> {
  const now = clock.now();
  const before = await countsOf(sql, held);
  const begun = await beginRun(sql, held, {
    stage: held.customer_filter_file === null && held.phone_numbers_file === null ? 'planning' : 'files',
    now,
    before,
    progress: {
      cursor: null,
      at_once: atOnceAtFirst,
      problems: 0,
      ...(codesOf(held).length > 0 ? { needed: 0 } : {}),
      ...(held.ab_test?.sample ? { part: 'sample' } : {}),
      before,
      prepared: 0,
      sent: 0,
      measured_at: now.getTime(),
      measured_done: 0,
      told_at: now.getTime(),
    },
    leaseUntil: leaseEnd(now),
  });
  if (begun)
    log.info({ mailing: begun.id, run: begun.run }, `mailing "${begun.name}": run ${begun.run} begins`);
  return begun;
}

/** Sends what waits for the end of quiet hours: an administrator has allowed it. */
async function release({ sql, clock, wake }: Context, held: LeasedMailing): Promise<MailingRow | undefined> {
  const now = clock.now();
  const row = await releaseChunk(sql, held, { now, leaseUntil: leaseEnd(now) });
  wake.wake('sending');
  wake.wake('running');
  return row;
}

async function sendingStep(context: Context, held: LeasedMailing): Promise<MailingRow | undefined> {
  if ((held.progress.releasing ?? null) !== null) return release(context, held);
  if (held.finish_by === null || isLate(held, context.clock.now())) return watchRun(context, held);
  const { row, isEnough } = await handOver(context, held, held.finish_by);
  const latest = stillHeld(held, row);
  return latest && isEnough ? watchRun(context, latest) : latest;
}

const isLate = ({ finish_by }: LeasedMailing, now: Date): boolean => finish_by !== null && finish_by <= now;

/** Ends a run whose moment has come. What has not been sent is taken back. */
async function endInTime({ sql, clock }: Context, held: LeasedMailing): Promise<MailingRow | undefined> {
  const now = clock.now();
  return writeStep(sql, held, {
    state: 'completed',
    stage: 'stopping',
    completedAt: now,
    progress: { cursor: null },
    dueAt: leaseEnd(now),
  });
}

/** Completes the run once every planned message has ended. Until then, looks again after a while. */
async function watchRun(context: Context, held: LeasedMailing): Promise<MailingRow | undefined> {
  const { sql, clock, log } = context;
  const now = clock.now();
  const counts = await countsOf(sql, held);
  if (openIn(counts) > 0) {
    return isLate(held, now)
      ? endInTime(context, held)
      : rest(context, held, new Date(now.getTime() + lookAgainMs));
  }

  const progress = figuresOf(held.progress, counts, now);
  const sample = sampleNow(held);
  if (sample) return goOnAfterSample(context, held, sample, { ...progress, rate: null, seconds_left: null });
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

/** Gives a mailing back until later, with its figures. Logs them at intervals. */
export async function rest(
  { sql, clock, log }: Context,
  held: LeasedMailing,
  dueAt: Date,
): Promise<MailingRow | undefined> {
  const now = clock.now().getTime();
  const figures = figuresOf(held.progress, await countsOf(sql, held), clock.now());
  const tells = held.state === 'in_process' && now - (held.progress.told_at ?? 0) >= tellEveryMs;
  const { held: waiting, owed, owed_at } = held.progress;
  const progress = { ...figures, held: waiting, owed, owed_at, tries: 0, ...(tells ? { told_at: now } : {}) };
  const row = await writeStep(sql, held, { progress, dueAt, ends: true });
  if (row && tells) {
    const { prepared, sent, rate, seconds_left } = row.progress;
    log.info(
      { mailing: row.id, run: row.run, prepared, sent, rate, seconds_left },
      `mailing "${row.name}": ${inWords(row.progress)}`,
    );
  }
  return row;
}
