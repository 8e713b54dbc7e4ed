import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { keepDemoKeys as keep } from './store.ts';

/** POST /console/api/home/demo-keys/: the demo's printed keys stay. */
export const keepDemoKeys = actionFor<Member>()({
  handle: async ({ context: { sql, log }, principal: { projectId, operatorId } }) => {
    await keep(sql, projectId);
    log.info({ projectId, by: operatorId }, 'the keys of the demo were kept');
  },
});
