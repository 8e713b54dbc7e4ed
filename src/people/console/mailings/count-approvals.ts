import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { Approvals } from './schema.ts';
import { countApprovals } from './store.ts';

/** GET /console/api/mailings/approvals/: how many mailings wait for the reader's approval. */
export const readApprovals = actionFor<Member>()({
  response: Approvals,
  handle: async ({ context: { sql }, principal: { projectId, operatorId } }) => ({
    count: await countApprovals(sql, projectId, operatorId),
  }),
});
