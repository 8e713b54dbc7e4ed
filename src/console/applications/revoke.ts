import type { Member } from '../../auth/member.ts';
import type { Context } from '../../context.ts';
import { actionFor } from '../../http/action.ts';
import { UuidParams } from '../../http/fields.ts';
import { deleteWebhook } from '../../integrations/delete-credentials.ts';
import { hasAccess, revokeTokens } from './store.ts';

/** POST /console/api/applications/{uuid}/revoke/: the application's access to this project ends at once. */
export const revokeApplication = actionFor<Member>()({
  params: UuidParams,
  load: async ({ sql }, { projectId }, { uuid }) => (await hasAccess(sql, projectId, uuid)) || undefined,
  handle: async ({ context, principal: { projectId, operatorId }, params: { uuid } }) => {
    await revokeAccess(context, projectId, uuid);
    context.log.info({ projectId, by: operatorId, application: uuid }, "an application's access was revoked");
  },
});

/** Its tokens and links first; then its webhook, which would go on telling it what happens. */
export async function revokeAccess(
  context: Context,
  projectId: string,
  applicationId: string,
): Promise<void> {
  await revokeTokens(context.sql, projectId, applicationId, context.clock.now());
  await deleteWebhook(context, { projectId, applicationId });
}
