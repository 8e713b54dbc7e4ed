import { momentOf } from '../platform/moment.ts';
import { invalid } from '../platform/problem.ts';
import type { MailingCreate } from './schema.ts';
import type { NewMailing } from './store.ts';

const shortestMs = 60_000;
const longestMs = 31 * 86_400_000;

/** When the first message may be sent. */
export const startOf = ({ due_at }: Pick<NewMailing, 'due_at'>, now: Date): Date => due_at ?? now;

/** The moment by which a mailing is to be done. Null without one. Throws `Invalid` for one that makes no sense. */
export function finishOf(
  { finish_by }: Pick<MailingCreate, 'finish_by'>,
  mailing: Pick<NewMailing, 'due_at' | 'regular_cron' | 'ab_test'>,
  now: Date,
): Date | null {
  if (!finish_by) return null;
  if (mailing.regular_cron !== null)
    throw invalid('finish_by', 'A mailing with a schedule has no moment to finish by.');
  if (mailing.ab_test?.sample)
    throw invalid('finish_by', 'A mailing whose sample decides about the rest has no moment to finish by.');
  const until = momentOf(finish_by);
  const spanMs = until.getTime() - startOf(mailing, now).getTime();
  if (spanMs < shortestMs) throw invalid('finish_by', 'Enter a moment at least a minute after the start.');
  if (spanMs > longestMs) throw invalid('finish_by', 'Enter a moment at most 31 days after the start.');
  return until;
}
