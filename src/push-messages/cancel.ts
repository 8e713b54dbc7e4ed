import { action } from '../http/action.ts';
import { UuidParams } from '../http/fields.ts';
import { Refused } from '../lib/problem.ts';
import { cancelPending, findPushMessage } from './store.ts';

/** POST /api/partners/push-messages/{uuid}/cancel/. Source: specification, endpoint 9. */
export const cancelPushMessage = action({
  params: UuidParams,
  load: ({ sql }, { projectId }, { uuid }) => findPushMessage(sql, projectId, uuid),
  handle: async ({ context, principal, loaded }) => {
    if (await cancelPending(context.sql, principal.projectId, loaded.id)) return;
    throw new Refused('Only a message in state PENDING can be cancelled.');
  },
});
