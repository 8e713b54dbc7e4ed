import { approvalMail, approvalMailsTo, tryMail } from '../../../access/operators/mails.ts';
import { type Asked, putBackApprover, takeApprover } from '../../../mailings/approvers-store.ts';
import type { Context } from '../../../platform/context.ts';
import { pauseOf } from '../../../platform/limits/rates.ts';

type Tools = Pick<Context, 'sql' | 'clock' | 'config' | 'log'>;

const minuteMs = 60_000;

/** Before the second try, the third and so on. The start page shows what waits, too. */
const waitsMs = [1, 5, 30, 120, 600].map((minutes) => minutes * minuteMs);

/**
 * Mails those who may approve a mailing, one mail to a person and mailing. A mail is tried again if it certainly has not
 * arrived. Returns the number of mails.
 */
export async function tellApprovers(context: Tools, signal?: AbortSignal): Promise<number> {
  let sent = 0;
  while (!signal?.aborted) {
    const asked = await takeApprover(context.sql, context.clock.now());
    if (asked === undefined) break;
    if (await tellApprover(context, asked)) sent += 1;
  }
  return sent;
}

async function tellApprover(context: Tools, asked: Asked): Promise<boolean> {
  const { approver, tries } = asked;
  if (approver === null) return false;
  // All tries of a mail count once.
  if (tries === 0 && (await pauseOf(context, [approvalMailsTo(approver.email)])) > 0) return false;
  const outcome = await tryMail(context, approvalMail(context.config, approver));
  const waitMs = waitsMs[tries];
  if (outcome === 'failed' && waitMs !== undefined) {
    await putBackApprover(context.sql, asked, new Date(context.clock.now().getTime() + waitMs));
  }
  return outcome === 'sent';
}
