import type { Member } from '../../../access/auth/member.ts';
import { approveMailing } from '../../../mailings/approval-store.ts';
import { momentNotBefore } from '../../../mailings/rules.ts';
import { findMailing } from '../../../mailings/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { Refused } from '../../../platform/problem.ts';
import { Approve } from './schema.ts';
import { type ApprovalRow, findRules } from './store.ts';

/**
 * POST /console/api/mailings/{uuid}/approve/: lets a mailing start that waits for a second person. A start that was
 * missed meanwhile happens at once, and a schedule goes on with its next moment.
 */
export const approve = actionFor<Member>()({
  params: UuidParams,
  body: Approve,
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context, principal: { projectId, operatorId, name }, body, loaded }) => {
    const { sql, clock, newId, wake } = context;
    const now = clock.now();
    const dueAt = momentNotBefore(loaded.planned_at, loaded.regular_cron, now);
    const { revision, scenarios = [] } = body;
    const mailing = { projectId, mailingId: loaded.id, revision, scenarios };
    const entry = { id: newId(), author_id: operatorId, author_name: name };
    if (!(await approveMailing(sql, mailing, entry, { now, dueAt }))) {
      const rules = await findRules(sql, projectId, loaded.id, operatorId);
      throw new Refused(whyNot(rules?.approval ?? null, revision));
    }
    wake.wake('planning');
  },
});

function whyNot(approval: ApprovalRow | null, revision: number): string {
  if (!approval?.is_awaited) return 'The mailing does not wait for approval.';
  if (approval.revision !== revision) return 'The mailing has changed. Read it again before you approve it.';
  if (approval.may_approve)
    return 'A scenario of the mailing has changed. Read it again before you approve it.';
  return 'Another administrator approves the mailing: nobody approves their own.';
}
