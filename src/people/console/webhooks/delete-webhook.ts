import type { Member } from '../../../access/auth/member.ts';
import { deleteWebhook } from '../../../events/endpoints/delete-credentials.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { NotFound } from '../../../platform/problem.ts';
import { loadWebhook } from './load.ts';

/**
 * DELETE /console/api/webhooks/{uuid}/: with its undelivered events. An application may set another one while it has
 * access.
 */
export const removeWebhook = actionFor<Member>()({
  params: UuidParams,
  load: loadWebhook,
  handle: async ({ context, principal: { projectId, operatorId }, loaded: { id } }) => {
    if (!(await deleteWebhook(context, { projectId, id }))) throw new NotFound();
    context.log.info({ projectId, by: operatorId, webhook: id }, 'a webhook was deleted');
  },
});
