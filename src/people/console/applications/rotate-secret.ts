import type { Member } from '../../../access/auth/member.ts';
import { rotateApplicationSecret } from '../../../access/oauth/applications.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { ownApplication } from './own.ts';
import { ApplicationSecret } from './schema.ts';

/** POST /console/api/applications/{uuid}/secret/: a new secret. The old one is refused from the next call on. */
export const rotateOwnSecret = actionFor<Member>()({
  params: UuidParams,
  load: ownApplication,
  response: ApplicationSecret,
  handle: async ({ context, principal: { projectId, operatorId }, loaded: { ownerId, id } }) => {
    const secret = await rotateApplicationSecret(context, { ownerId, id });
    context.log.info({ projectId, by: operatorId, application: id }, "an application's secret was rotated");
    return { uuid: id, client_secret: secret };
  },
});
