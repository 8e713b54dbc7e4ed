import type { Member } from '../../../access/auth/member.ts';
import { keepKeys } from '../../../demo/store.ts';
import { actionFor } from '../../../platform/http/action.ts';

/** POST /console/api/home/demo-keys/: keeps the demo's printed keys. */
export const keepDemoKeys = actionFor<Member>()({
  handle: async ({ context: { sql, log }, principal: { projectId, operatorId } }) => {
    await keepKeys(sql, projectId);
    log.info({ projectId, by: operatorId }, 'the keys of the demo were kept');
  },
});
