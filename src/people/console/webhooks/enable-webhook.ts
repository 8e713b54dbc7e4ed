import type { Member } from '../../../access/auth/member.ts';
import { enableEndpoint } from '../../../events/endpoints/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { Refused } from '../../../platform/problem.ts';
import { deliverWaiting } from './deliver-waiting.ts';
import { loadWebhook } from './load.ts';

/** POST /console/api/webhooks/{uuid}/enable/: delivers again, beginning with the waiting events. */
export const enableWebhook = actionFor<Member>()({
  params: UuidParams,
  line: 'files',
  load: loadWebhook,
  handle: async ({ context, principal, loaded: { id } }) => {
    if (!(await enableEndpoint(context.sql, principal.projectId, id))) {
      throw new Refused('The application has no access to this project. It must ask for access first.');
    }
    await deliverWaiting(context, id);
  },
});
