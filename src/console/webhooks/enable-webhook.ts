import type { Member } from '../../auth/member.ts';
import { actionFor } from '../../http/action.ts';
import { UuidParams } from '../../http/fields.ts';
import { deliverWaiting } from './deliver-waiting.ts';
import { loadWebhook } from './load.ts';
import { enableEndpoint } from './store.ts';

/** POST /console/api/webhooks/{uuid}/enable/: delivers again, and first what has waited. */
export const enableWebhook = actionFor<Member>()({
  params: UuidParams,
  load: loadWebhook,
  handle: async ({ context, principal, loaded: { id } }) => {
    await enableEndpoint(context.sql, principal.projectId, id);
    await deliverWaiting(context, id);
  },
});
