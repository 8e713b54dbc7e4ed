import type { Member } from '../../../access/auth/member.ts';
import { rotateSecret } from '../../../events/endpoints/rotate-secret.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { RotatedSecret } from './schema.ts';

/**
 * POST /console/api/webhooks/{uuid}/rotate-secret/: the new secret, shown only this once. The old one signs for
 * another day.
 */
export const rotateWebhookSecret = actionFor<Member>()({
  params: UuidParams,
  response: RotatedSecret,
  handle: async ({ context, principal: { projectId }, params }) => ({
    secret: await rotateSecret(context, { projectId, endpointId: params.uuid }),
  }),
});
