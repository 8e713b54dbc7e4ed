import { acceptInvitation, declineInvitation } from '../../../access/auth/invitations-store.ts';
import type { Person } from '../../../access/auth/person.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { NotFound } from '../../../platform/problem.ts';

/** POST /console/api/account/invitations/{uuid}/: accepts the invitation to the project. */
export const joinProject = actionFor<Person>()({
  params: UuidParams,
  handle: async ({ context: { sql, log }, principal: { userId }, params: { uuid: projectId } }) => {
    const operator = await acceptInvitation(sql, userId, projectId);
    if (operator === null) throw new NotFound();
    log.info({ projectId, operator }, 'a person has joined a project');
  },
});

/** DELETE /console/api/account/invitations/{uuid}/: declines the invitation, which is deleted. */
export const declineProject = actionFor<Person>()({
  params: UuidParams,
  handle: async ({ context: { sql, log }, principal: { userId }, params: { uuid: projectId } }) => {
    const operator = await declineInvitation(sql, userId, projectId);
    if (operator === null) throw new NotFound();
    log.info({ projectId, operator }, 'a person has declined an invitation');
  },
});
