import type { Member } from '../../auth/member.ts';
import { actionFor } from '../../http/action.ts';
import { UuidParams } from '../../http/fields.ts';
import { rotateSecret } from '../../integrations/rotate-secret.ts';
import { RotatedSecret } from './schema.ts';

/** POST /console/api/webhooks/{uuid}/rotate-secret/: the new secret, shown this once; the old one signs for a day. */
export const rotateWebhookSecret = actionFor<Member>()({
  params: UuidParams,
  response: RotatedSecret,
  handle: async ({ context, principal: { projectId }, params }) => ({
    secret: await rotateSecret(context, { projectId, endpointId: params.uuid }),
  }),
});
