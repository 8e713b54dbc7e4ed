import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { setSecret } from '../../../scenarios/secrets.ts';
import { SecretParams, SecretPut } from './schema.ts';

/** PUT /console/api/secrets/{name}/: value and host together, so that a value is never sent to another host. */
export const putProjectSecret = actionFor<Member>()({
  params: SecretParams,
  body: SecretPut,
  handle: async ({ context, principal: { projectId, operatorId }, params: { name }, body }) => {
    await setSecret(context, projectId, { ...body, name });
    context.log.info({ projectId, by: operatorId, secret: name }, 'a secret was set');
  },
});
