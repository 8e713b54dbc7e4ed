import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { walksOf } from '../../../scenarios/counts-store.ts';
import { loadScenario } from './load.ts';
import { presentWalk } from './present.ts';
import { ScenarioParams, ScenarioWalks } from './schema.ts';

/** As many as a person looks through. */
const most = 50;

/** GET /console/api/scenarios/:id/walks/: the latest chats that follow the scenario, and the ways that they took. */
export const listWalks = actionFor<Member>()({
  params: ScenarioParams,
  response: ScenarioWalks,
  load: loadScenario,
  handle: async ({ context: { sql }, principal: { projectId }, loaded }) => ({
    walks: (await walksOf(sql, projectId, loaded.id, most)).map(presentWalk),
  }),
});
