import type { Member } from '../../../access/auth/member.ts';
import { presentMailing } from '../../../mailings/present.ts';
import { findMailing } from '../../../mailings/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { presentSummary } from './present.ts';
import { MailingDetail } from './schema.ts';
import { findQuiet, findRules, summariesOf } from './store.ts';

/** GET /console/api/mailings/{uuid}/. */
export const readDetail = actionFor<Member>()({
  params: UuidParams,
  response: MailingDetail,
  load: async ({ sql, clock }, { projectId }, { uuid }) => {
    const [[summary], mailing, quiet, rules] = await Promise.all([
      summariesOf(sql, projectId, [uuid]),
      findMailing(sql, projectId, uuid),
      findQuiet(sql, projectId, uuid, clock.now()),
      findRules(sql, projectId, uuid),
    ]);
    return summary && mailing && rules && { summary, mailing, quiet, rules };
  },
  handle: async ({ context: { clock }, loaded: { summary, mailing, quiet, rules } }) => ({
    mailing: presentMailing(mailing, clock.now()),
    summary: presentSummary(summary),
    run: summary.run,
    has_identifiers: summary.has_identifiers,
    problems: summary.problems,
    quiet,
    ...rules,
  }),
});
