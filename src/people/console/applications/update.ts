import type { Member } from '../../../access/auth/member.ts';
import { updateApplication } from '../../../access/oauth/applications.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { ownApplication } from './own.ts';
import { ApplicationPatch } from './schema.ts';

/** PATCH /console/api/applications/{uuid}/: its name and redirect URIs. */
export const updateOwnApplication = actionFor<Member>()({
  params: UuidParams,
  load: ownApplication,
  body: ApplicationPatch,
  handle: async ({ context, principal: { projectId, operatorId }, body, loaded }) => {
    await updateApplication(context, loaded, { name: body.name, redirectUris: body.redirect_uris });
    context.log.info({ projectId, by: operatorId, application: loaded.id }, 'an application was changed');
  },
});
