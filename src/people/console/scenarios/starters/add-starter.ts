import type { Member } from '../../../../access/auth/member.ts';
import { actionFor } from '../../../../platform/http/action.ts';
import { addStarter as add } from '../../../../scenarios/starters.ts';
import { loadScenario } from '../load.ts';
import { ScenarioParams } from '../schema.ts';
import { AddedStarter, StarterAdd } from './schema.ts';

/** POST /console/api/scenarios/:id/starters/. */
export const addStarter = actionFor<Member>()({
  params: ScenarioParams,
  body: StarterAdd,
  response: AddedStarter,
  load: loadScenario,
  handle: async ({ context, principal: { projectId, operatorId }, loaded, body }) => {
    const uuid = await add(context, projectId, loaded.id, body);
    context.log.info({ projectId, by: operatorId, starter: uuid }, 'a starter was added');
    return { uuid };
  },
});
