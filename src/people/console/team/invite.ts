import type { Member } from '../../../access/auth/member.ts';
import { inviteMember } from '../../../access/operators/invite-member.ts';
import { readProject } from '../../../access/projects/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { presentWay } from './present.ts';
import { Invitation, WayIn } from './schema.ts';

/** POST /console/api/team/: invites a person to the project, and returns how they get in. */
export const inviteToTeam = actionFor<Member>()({
  body: Invitation,
  response: WayIn,
  status: 201,
  handle: async ({ context, principal: { projectId, operatorId, userId }, body: { email, role } }) => {
    const { name } = await readProject(context.sql, projectId);
    const { id, ...way } = await inviteMember(context, {
      projectId,
      projectName: name,
      by: userId ?? operatorId,
      email,
      role,
    });
    context.log.info({ projectId, by: operatorId, operator: id, role, way: way.way }, 'a person was invited');
    return presentWay(way);
  },
});
