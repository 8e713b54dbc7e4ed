import { approvalMail, approvalMailsTo, mailIfPossible } from '../../../access/operators/mails.ts';
import { takeApprover } from '../../../mailings/approvers-store.ts';
import type { Context } from '../../../platform/context.ts';
import { pauseOf } from '../../../platform/limits/rates.ts';

type Tools = Pick<Context, 'sql' | 'clock' | 'config' | 'log'>;

/**
 * Mails those who may approve a mailing, one mail to a person and mailing. A mail that fails is not repeated: the start
 * page shows what waits, too. Returns the number of mails.
 */
export async function tellApprovers(context: Tools, signal?: AbortSignal): Promise<number> {
  let sent = 0;
  while (!signal?.aborted) {
    const taken = await takeApprover(context.sql, context.clock.now());
    if (taken === undefined) break;
    const { approver } = taken;
    if (approver === null || (await pauseOf(context, [approvalMailsTo(approver.email)])) > 0) continue;
    const outcome = await mailIfPossible(context, approvalMail(context.config, approver));
    if (outcome === 'sent') sent += 1;
  }
  return sent;
}
