import type { Member } from '../../../access/auth/member.ts';
import { changeMember } from '../../../access/auth/team-store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { invalid, Refused } from '../../../platform/problem.ts';
import { presentMember } from './present.ts';
import { TeamMember, TeamMemberPatch } from './schema.ts';
import { findMember } from './store.ts';

export const lastAdministrator =
  'The project would have no administrator. Make another member an administrator first.';

/** PATCH /console/api/team/{uuid}/: a person's name for clients, and their role. It takes effect at the next call. */
export const updateMember = actionFor<Member>()({
  params: UuidParams,
  load: ({ sql }, { projectId }, { uuid }) => findMember(sql, projectId, uuid),
  body: TeamMemberPatch,
  response: TeamMember,
  handle: async ({ context: { sql, log }, principal, body, loaded }) => {
    const { projectId, operatorId } = principal;
    if (loaded.state === 'links_only' && body.role === 'admin') {
      throw invalid('role', 'This person cannot sign in. Invite them first.');
    }
    if (!(await changeMember(sql, projectId, loaded.id, body))) throw new Refused(lastAdministrator);
    log.info({ projectId, by: operatorId, operator: loaded.id, role: body.role }, 'a colleague was changed');
    return presentMember({ ...loaded, ...body }, principal);
  },
});
