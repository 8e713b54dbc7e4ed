import type { Member } from '../../../../access/auth/member.ts';
import { leadersOf, shareOf } from '../../../../mailings/measure.ts';
import type { MailingRow } from '../../../../mailings/present.ts';
import { findMailing } from '../../../../mailings/store.ts';
import { actionFor } from '../../../../platform/http/action.ts';
import { isUuid } from '../../../../platform/id.ts';
import { invalid, NotFound } from '../../../../platform/problem.ts';
import { leastCompared, mostCompared } from './limits.ts';
import { CompareQuery, Comparison, measures } from './schema.ts';
import { leftAfter } from './store.ts';

/** GET /console/api/mailings/compare/: a few mailings side by side, with honest intervals. */
export const compareMailings = actionFor<Member>()({
  query: CompareQuery,
  response: Comparison,
  handle: async ({ context: { sql }, principal: { projectId }, query }) => {
    const ids = [...new Set(query.mailings.toLowerCase().split(','))];
    if (ids.length < leastCompared || ids.length > mostCompared) {
      throw invalid('mailings', `Choose ${leastCompared} to ${mostCompared} mailings.`);
    }
    const found = await Promise.all(
      ids.map((id) => (isUuid(id) ? findMailing(sql, projectId, id) : undefined)),
    );
    const rows = found.filter((row) => row !== undefined);
    if (rows.length < ids.length) throw new NotFound();
    const began = rows.flatMap(({ started_at }) => started_at?.getTime() ?? []);
    const left = await leftAfter(sql, projectId, ids, new Date(Math.min(...began, Date.UTC(9999, 0))));
    const counts = rows.map((row) => countsOf(row, left.find(({ id }) => id === row.id)?.count ?? 0));
    return {
      mailings: rows.map(({ id, name, started_at, statistics }) => ({
        uuid: id,
        name,
        started_at: started_at?.toISOString() ?? null,
        planned: statistics.count_planned,
      })),
      measures: measures.map((measure) => {
        const shares = counts.map((of) => shareOf(of[measure], measure === 'sent' ? of.planned : of.sent));
        return { measure, shares, leaders: leadersOf(shares) };
      }),
    };
  },
});

const countsOf = ({ statistics }: MailingRow, unsubscribed: number) => ({
  planned: statistics.count_planned,
  sent: statistics.count_sent,
  delivered: statistics.count_delivered,
  read: statistics.count_read,
  jumped: statistics.count_jumped_url,
  clicked: statistics.count_clicked,
  replied: statistics.count_replied,
  converted: statistics.count_converted,
  unsubscribed,
});
