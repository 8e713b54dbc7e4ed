import { type Member, onlyAdministrators } from '../../../access/auth/member.ts';
import { changeMember, type TeamMove } from '../../../access/auth/team-store.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { HttpProblem } from '../../../platform/http/errors.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { invalid, NotFound, Refused } from '../../../platform/problem.ts';
import { presentMember } from './present.ts';
import { TeamMember, TeamMemberPatch } from './schema.ts';
import { findMember } from './store.ts';

const lastAdministrator =
  'The project would have no administrator. Make another member an administrator first.';

/** Why a member was not changed or removed. */
export async function whyUnchanged(sql: Sql, projectId: string, { by, id }: TeamMove): Promise<Error> {
  const caller = await findMember(sql, projectId, by);
  if (caller?.role !== 'admin') return new HttpProblem(403, onlyAdministrators);
  return (await findMember(sql, projectId, id)) ? new Refused(lastAdministrator) : new NotFound();
}

/** PATCH /console/api/team/{uuid}/: a person's name for clients, and their role. It takes effect at the next call. */
export const updateMember = actionFor<Member>()({
  params: UuidParams,
  load: ({ sql }, { projectId }, { uuid }) => findMember(sql, projectId, uuid),
  body: TeamMemberPatch,
  response: TeamMember,
  handle: async ({ context: { sql, log }, principal, body, loaded }) => {
    const { projectId, operatorId } = principal;
    const move = { by: operatorId, id: loaded.id };
    if (loaded.state === 'links_only' && body.role === 'admin') {
      throw invalid('role', 'This person cannot sign in. Invite them first.');
    }
    const isChanged = await changeMember(sql, projectId, move, body);
    if (!isChanged) throw await whyUnchanged(sql, projectId, move);
    log.info({ projectId, by: operatorId, operator: loaded.id, role: body.role }, 'a colleague was changed');
    return presentMember({ ...loaded, ...body }, principal);
  },
});
