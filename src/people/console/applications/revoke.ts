import type { Member } from '../../../access/auth/member.ts';
import { revokeAccess } from '../../../access/oauth/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { hasAccess } from './store.ts';

/**
 * POST /console/api/applications/{uuid}/revoke/: the application's access to this project ends at once. Its webhook
 * stays, disabled.
 */
export const revokeApplication = actionFor<Member>()({
  params: UuidParams,
  load: async ({ sql }, { projectId }, { uuid }) => (await hasAccess(sql, projectId, uuid)) || undefined,
  handle: async ({ context, principal: { projectId, operatorId }, params: { uuid } }) => {
    await revokeAccess(context.sql, projectId, uuid, context.clock.now());
    context.log.info({ projectId, by: operatorId, application: uuid }, "an application's access was revoked");
  },
});
