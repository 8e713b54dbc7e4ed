import type { Member } from '../../../access/auth/member.ts';
import { deleteAudience, findAudience } from '../../../clients/audiences/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { NotFound, Refused } from '../../../platform/problem.ts';
import { refuseAsStart, refuseInScenarios } from './rules.ts';

/** DELETE /console/api/audiences/{uuid}/. Refused while a planned or running mailing names it, or a scenario. */
export const removeAudience = actionFor<Member>()({
  params: UuidParams,
  load: ({ sql }, { projectId }, { uuid }) => findAudience(sql, projectId, uuid),
  handle: async ({ context: { sql }, principal: { projectId }, loaded: { id: uuid, name } }) => {
    await refuseInScenarios(sql, projectId, name);
    await refuseAsStart(sql, projectId, uuid);
    switch (await deleteAudience(sql, projectId, uuid)) {
      case 'deleted':
        return;
      case 'awaited':
        throw new Refused('A planned or running mailing uses this audience.');
      case 'missing':
        throw new NotFound();
    }
  },
});
