import type { Member } from '../../../../access/auth/member.ts';
import { actionFor } from '../../../../platform/http/action.ts';
import { NotFound } from '../../../../platform/problem.ts';
import { enableStarter } from '../../../../scenarios/starters-store.ts';
import { StarterParams, StarterPatch } from './schema.ts';

/** PATCH /console/api/scenarios/:id/starters/:starter/. */
export const changeStarter = actionFor<Member>()({
  params: StarterParams,
  body: StarterPatch,
  handle: async ({ context, principal: { projectId, operatorId }, params: { id, starter }, body }) => {
    const key = { scenarioId: Number(id), id: starter };
    const { is_enabled } = body;
    if (!(await enableStarter(context.sql, projectId, key, is_enabled))) throw new NotFound();
    context.log.info({ projectId, by: operatorId, starter, is_enabled }, 'a starter was changed');
  },
});
