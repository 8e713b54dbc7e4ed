import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { presentWebhook } from './present.ts';
import { WebhookList } from './schema.ts';
import { findWebhooks } from './store.ts';

/** GET /console/api/webhooks/: the project's own, and one for each application. */
export const listWebhooks = actionFor<Member>()({
  response: WebhookList,
  handle: async ({ context, principal }) => ({
    results: (await findWebhooks(context.sql, principal.projectId)).map(presentWebhook),
  }),
});
