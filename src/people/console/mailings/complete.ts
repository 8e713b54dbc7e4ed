import type { Member } from '../../../access/auth/member.ts';
import { findDefaultCountry } from '../../../access/projects/store.ts';
import { TestedMailingCreate } from '../../../mailings/ab-test/schema.ts';
import { checkMailing, completeDraft, linesOf } from '../../../mailings/make.ts';
import { bodyLimit, Mailing } from '../../../mailings/schema.ts';
import { findMailing } from '../../../mailings/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { withApproval } from './approval-rule.ts';
import { requireFinish } from './finish.ts';
import { requireTest, sizeOfAudience } from './test-rule.ts';

/**
 * PUT /console/api/mailings/{uuid}/: gives a draft its audience, content and time. With an audience it starts. Changes a
 * mailing that waits for approval, which is then asked for again.
 */
export const completeMailing = actionFor<Member>()({
  params: UuidParams,
  body: TestedMailingCreate,
  bodyLimit,
  line: 'searches',
  response: Mailing,
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context, principal, body, loaded }) => {
    const { projectId } = principal;
    const lines = await linesOf(body, await findDefaultCountry(context.sql, projectId));
    const checked = await checkMailing(context, projectId, body, lines);
    await requireFinish(context, projectId, body, checked);
    const tested = await requireTest(context, projectId, checked, sizeOfAudience(context, projectId, body));
    const held = await withApproval(context, principal, tested);
    return completeDraft(context, projectId, loaded.id, held, lines);
  },
});
