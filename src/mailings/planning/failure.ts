import { TooMuchWork } from '../../clients/filters/work.ts';
import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/database/database.ts';
import { BadFile, FileUnavailable } from '../../platform/list-files/bad-file.ts';
import { exponentialDelay } from '../../platform/pump/backoff.ts';
import { atOnceAfterFailure } from '../chunk-size.ts';
import { type LeasedMailing, type MailingRow, writeStep } from '../planner-store.ts';
import { plan } from './plan.ts';
import { CannotRun } from './rules.ts';

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** Together they take some minutes. */
const mostTries = 8;
/** The attempts with a single recipient. */
const triesOfOne = 3;
/** If this many recipients cannot be planned, the fault is not theirs. */
const mostParked = 20;

/** Handles a failed step. It is retried, or continues without the recipient at fault, or the mailing is given up. */
export async function noteFailure(
  context: Context,
  held: LeasedMailing,
  error: unknown,
  stopping: AbortSignal,
): Promise<void> {
  const { log } = context;
  try {
    if (stopping.aborted) await tryAgain(context, held, 0);
    else await decide(context, held, error);
  } catch (later) {
    log.warn(
      { err: later, mailing: held.id },
      'planning: a failure could not be written; the lease will lapse',
    );
  }
}

async function decide(
  context: Context,
  held: LeasedMailing,
  error: unknown,
): Promise<MailingRow | undefined> {
  const { log } = context;
  if (error instanceof BadFile || error instanceof CannotRun) return giveUp(context, held, error.message);
  if (error instanceof TooMuchWork && held.state === 'in_process') return leaveOut(context, held);
  log.warn(
    { err: error, mailing: held.id, stage: held.stage },
    'planning: a step failed, and is tried again',
  );

  const tries = triesOf(held);
  const isOne = held.stage === 'planning' && held.progress.at_once === 1;
  if (canEnd(held, error) && isOne && tries >= triesOfOne && mayPark(held)) {
    return park(context, held, unexpected);
  }
  return countTry(context, held, error);
}

/** With the present failure. */
const triesOf = ({ progress: { tries = 0 } }: LeasedMailing): number => tries + 1;

const canEnd = (held: LeasedMailing, error: unknown): boolean =>
  held.state === 'in_process' && !isDatabaseUnavailable(error);

/** Retries the step, or gives the mailing up. */
function countTry(context: Context, held: LeasedMailing, error: unknown): Promise<MailingRow | undefined> {
  const tries = triesOf(held);
  if (!canEnd(held, error) || tries < mostTries) return tryAgain(context, held, tries);
  const detail =
    error instanceof FileUnavailable
      ? error.message
      : 'The mailing failed again and again; the log says why.';
  return giveUp(context, held, detail);
}

/** Continues without a recipient who exceeds the filter's budget. After many of them, the mailing is given up. */
function leaveOut(context: Context, held: LeasedMailing): Promise<MailingRow | undefined> {
  if (mayPark(held)) return park(context, held, 'The filter looks at more of this client than it may.');
  return giveUp(
    context,
    held,
    'The filter looks at more of many clients than it may: it needs fewer conditions, or shorter ones.',
  );
}

const mayPark = ({ progress: { parked = 0 } }: LeasedMailing): boolean => parked < mostParked;

const unexpected = 'An unexpected error kept this recipient from being planned.';

/** Continues without one recipient. If that fails too, the fault is not this recipient's, and the try counts. */
async function park(context: Context, held: LeasedMailing, reason: string): Promise<MailingRow | undefined> {
  const parked = (held.progress.parked ?? 0) + 1;
  let row: MailingRow | undefined;
  try {
    row = await plan(context, held, reason);
  } catch (error) {
    context.log.warn({ err: error, mailing: held.id }, 'planning: a recipient could not be left out');
    return countTry(context, held, error);
  }
  const change = { progress: { parked }, dueAt: context.clock.now(), ends: true };
  return row && writeStep(context.sql, { ...row, lease: held.lease }, change);
}

function tryAgain(
  { sql, clock }: Context,
  held: LeasedMailing,
  tries: number,
): Promise<MailingRow | undefined> {
  const atOnce = held.progress.at_once ?? 1;
  const pauseMs = tries === 0 ? 0 : exponentialDelay(tries, firstPauseMs, longestPauseMs, Math.random);
  const dueAt = new Date(clock.now().getTime() + pauseMs);
  return writeStep(sql, held, {
    progress: {
      tries,
      ...(tries > 0 && held.stage === 'planning' ? { at_once: atOnceAfterFailure(atOnce) } : {}),
    },
    dueAt,
    ends: true,
  });
}

/** Queued messages are taken back. The reason may quote a file of clients, which is not for the log. */
function giveUp(
  { sql, clock, log }: Context,
  held: LeasedMailing,
  detail: string,
): Promise<MailingRow | undefined> {
  const now = clock.now();
  log.warn({ mailing: held.id, run: held.run }, `mailing "${held.name}" is given up: its page says why`);
  const progress = { tries: 0, taken_back: null };
  return writeStep(sql, held, {
    state: 'error',
    detail,
    stage: 'stopping',
    completedAt: now,
    progress,
    dueAt: now,
    ends: true,
  });
}
