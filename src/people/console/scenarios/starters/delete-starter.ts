import type { Member } from '../../../../access/auth/member.ts';
import { actionFor } from '../../../../platform/http/action.ts';
import { NotFound } from '../../../../platform/problem.ts';
import { deleteStarter as remove } from '../../../../scenarios/starters-store.ts';
import { StarterParams } from './schema.ts';

/** DELETE /console/api/scenarios/:id/starters/:starter/. */
export const deleteStarter = actionFor<Member>()({
  params: StarterParams,
  handle: async ({ context, principal: { projectId, operatorId }, params: { id, starter } }) => {
    if (!(await remove(context.sql, projectId, { scenarioId: Number(id), id: starter })))
      throw new NotFound();
    context.log.info({ projectId, by: operatorId, starter }, 'a starter was removed');
  },
});
