import type { Member } from '../../../access/auth/member.ts';
import { createApplication } from '../../../access/oauth/applications.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { ApplicationCreate, ApplicationSecret } from './schema.ts';

/** POST /console/api/applications/: an application of this project, which any project may give access to. */
export const createOwnApplication = actionFor<Member>()({
  body: ApplicationCreate,
  response: ApplicationSecret,
  status: 201,
  handle: async ({ context, principal: { projectId, operatorId }, body: { name, redirect_uris } }) => {
    const created = await createApplication(context, {
      name,
      redirectUris: redirect_uris,
      ownerId: projectId,
    });
    const { clientId, clientSecret } = created;
    context.log.info({ projectId, by: operatorId, application: clientId }, 'an application was registered');
    return { uuid: clientId, client_secret: clientSecret };
  },
});
