import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { NotFound } from '../../../platform/problem.ts';
import { deleteSecret } from '../../../scenarios/secrets-store.ts';
import { SecretParams } from './schema.ts';

/** DELETE /console/api/secrets/{name}/: requests that use it fail from now on. */
export const deleteProjectSecret = actionFor<Member>()({
  params: SecretParams,
  handle: async ({ context: { sql, log }, principal: { projectId, operatorId }, params: { name } }) => {
    if ((await deleteSecret(sql, projectId, name)) === 0) throw new NotFound();
    log.info({ projectId, by: operatorId, secret: name }, 'a secret was deleted');
  },
});
