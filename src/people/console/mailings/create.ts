import { findDefaultCountry } from '../../../access/projects/store.ts';
import { TestedMailingCreate } from '../../../mailings/ab-test/schema.ts';
import { checkMailing, linesOf, makeMailing } from '../../../mailings/make.ts';
import { presentMailing } from '../../../mailings/present.ts';
import { bodyLimit, Mailing } from '../../../mailings/schema.ts';
import { findMailing } from '../../../mailings/store.ts';
import { creation } from '../../../platform/http/action.ts';
import { withApproval } from './approval-rule.ts';
import { requireFinish } from './finish.ts';
import { requireTest, sizeOfAudience } from './test-rule.ts';

/**
 * POST /console/api/mailings/: as partners' programs do it, with national phone numbers and under the project's rules
 * for people.
 */
export const startMailing = creation({
  body: TestedMailingCreate,
  bodyLimit,
  line: 'searches',
  response: Mailing,
  handle: async ({ context, principal, body, id }) => {
    const { projectId } = principal;
    const lines = await linesOf(body, await findDefaultCountry(context.sql, projectId));
    const checked = await checkMailing(context, projectId, body, lines);
    await requireFinish(context, projectId, body, checked);
    const tested = await requireTest(context, projectId, checked, sizeOfAudience(context, projectId, body));
    return makeMailing(context, projectId, id, await withApproval(context, principal, tested), lines);
  },
  recall: async ({ sql, clock }, { projectId }, id) => {
    const row = await findMailing(sql, projectId, id);
    return row && presentMailing(row, clock.now());
  },
});
