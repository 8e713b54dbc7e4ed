import type { Member } from '../../../access/auth/member.ts';
import { closeEndpoint } from '../../../events/endpoints/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { loadWebhook } from './load.ts';

/** POST /console/api/webhooks/{uuid}/disable/: stops deliveries, with or without access of the application. */
export const disableWebhook = actionFor<Member>()({
  params: UuidParams,
  load: loadWebhook,
  handle: async ({ context: { sql, clock, log }, principal: { projectId, operatorId }, loaded: { id } }) => {
    await closeEndpoint(sql, projectId, id, 'An administrator disabled it.', clock.now());
    log.info({ projectId, by: operatorId, webhook: id }, 'a webhook was disabled');
  },
});
