import type { Member } from '../../../access/auth/member.ts';
import { closeApplication, deleteApplicationRow } from '../../../access/oauth/applications-store.ts';
import { revokeAccess } from '../../../access/oauth/store.ts';
import { deleteIntegrationWebhook } from '../../../events/endpoints/delete-credentials.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { NotFound } from '../../../platform/problem.ts';
import { randomToken, sha256 } from '../../../platform/secrets/secret.ts';
import { ownApplication } from './own.ts';
import { projectsOf } from './store.ts';

/**
 * DELETE /console/api/applications/{uuid}/: its access ends in every project. It is closed first, so that no project
 * gives it access meanwhile. After a crash it is still listed, and can be deleted again.
 */
export const deleteApplication = actionFor<Member>()({
  params: UuidParams,
  load: ownApplication,
  handle: async ({ context, principal: { projectId, operatorId }, loaded: { id } }) => {
    const { sql, clock, log } = context;
    await closeApplication(sql, projectId, id, sha256(randomToken()));
    for (const project of await projectsOf(sql, id)) {
      await revokeAccess(sql, project, id, clock.now());
      await deleteIntegrationWebhook(context, { projectId: project, applicationId: id });
    }
    if (!(await deleteApplicationRow(sql, projectId, id))) throw new NotFound();
    log.info({ projectId, by: operatorId, application: id }, 'an application was deleted');
  },
});
