import type { Member } from '../../../access/auth/member.ts';
import { setProjectWebhook } from '../../../events/endpoints/project-webhook.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { deliverWaiting } from './deliver-waiting.ts';
import { ProjectWebhookPut, ProjectWebhookSet } from './schema.ts';
import { findProjectWebhook } from './store.ts';

/**
 * PUT /console/api/webhooks/project/: the address for the project's own events. The secret is shown when it is made.
 */
export const putProjectWebhook = actionFor<Member>()({
  body: ProjectWebhookPut,
  response: ProjectWebhookSet,
  line: 'files',
  handle: async ({ context, principal: { projectId }, body }) => {
    const known = await findProjectWebhook(context.sql, projectId);
    const { secret } = await setProjectWebhook(context, { ...body, projectId });
    if (known) await deliverWaiting(context, known.id);
    return { secret: known ? null : secret };
  },
});
