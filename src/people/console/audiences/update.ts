import type { Member } from '../../../access/auth/member.ts';
import { findAudience, updateAudience } from '../../../clients/audiences/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { invalid, messages, NotFound } from '../../../platform/problem.ts';
import { checkAudience, refuseInScenarios } from './rules.ts';
import { AudienceWrite } from './schema.ts';

/** PUT /console/api/audiences/{uuid}/: mailings that name it read the new filter when their next run starts. */
export const changeAudience = actionFor<Member>()({
  params: UuidParams,
  body: AudienceWrite,
  load: ({ sql }, { projectId }, { uuid }) => findAudience(sql, projectId, uuid),
  handle: async ({ context: { sql, clock }, principal: { projectId }, body, loaded: { id, name } }) => {
    checkAudience(body);
    if (body.name !== name) await refuseInScenarios(sql, projectId, name);
    const outcome = await updateAudience(sql, projectId, {
      id,
      name: body.name,
      filter: body.filter_chats,
      now: clock.now(),
    });
    if (outcome === 'taken') throw invalid('name', messages.unique);
    if (outcome === 'gone') throw new NotFound();
  },
});
