import type { Member } from '../../../access/auth/member.ts';
import { presentMailing } from '../../../mailings/present.ts';
import { findMailing } from '../../../mailings/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { presentAbTest, presentSummary } from './present.ts';
import { MailingDetail } from './schema.ts';
import { findFinish, findQuiet, findRules, summariesOf } from './store.ts';

/** GET /console/api/mailings/{uuid}/. */
export const readDetail = actionFor<Member>()({
  params: UuidParams,
  response: MailingDetail,
  load: async ({ sql, clock }, { projectId, operatorId }, { uuid }) => {
    const [[summary], mailing, quiet, finish, rules] = await Promise.all([
      summariesOf(sql, projectId, [uuid]),
      findMailing(sql, projectId, uuid),
      findQuiet(sql, projectId, uuid, clock.now()),
      findFinish(sql, projectId, uuid, clock.now()),
      findRules(sql, projectId, uuid, operatorId),
    ]);
    return summary && mailing && rules && { summary, mailing, quiet, finish, rules };
  },
  handle: async ({ context: { clock }, loaded: { summary, mailing, quiet, finish, rules } }) => ({
    mailing: presentMailing(mailing, clock.now()),
    summary: presentSummary(summary),
    run: summary.run,
    has_identifiers: summary.has_identifiers,
    topic: mailing.topic,
    ab_test: mailing.ab_test && presentAbTest(mailing.ab_test),
    problems: summary.problems,
    quiet,
    finish,
    ...rules,
  }),
});
