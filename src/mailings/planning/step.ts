import type { Context } from '../../platform/context.ts';
import type { LeasedMailing, MailingRow } from '../planner-store.ts';
import { writeStep } from '../planner-store.ts';
import { beginNextRun } from './begin-run.ts';
import { plan } from './plan.ts';
import { readFiles } from './read-files.ts';
import { takeBack } from './take-back.ts';
import { watchRun } from './watch-run.ts';

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
  switch (held.stage) {
    case 'files':
      return readFiles(context, held, stopping);
    case 'planning':
      return plan(context, held);
    case 'sending':
    case 'stopping':
    case null:
      return watchRun(context, held);
  }
}

const restForEver = ({ sql }: Context, held: LeasedMailing) =>
  writeStep(sql, held, { progress: {}, dueAt: null, ends: true });

const stillHeld = ({ lease }: LeasedMailing, row: MailingRow | undefined): LeasedMailing | undefined =>
  row?.lease === lease ? { ...row, lease } : undefined;
