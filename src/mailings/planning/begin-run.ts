import type { Context } from '../../platform/context.ts';
import { codesOf } from '../audience.ts';
import { atOnceAtFirst } from '../chunk-size.ts';
import { beginRun, countsOf, type LeasedMailing, type MailingRow } from '../planner-store.ts';
import { leaseEnd } from './lease.ts';

export async function beginNextRun(
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
