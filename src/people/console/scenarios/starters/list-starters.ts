import type { Member } from '../../../../access/auth/member.ts';
import { actionFor } from '../../../../platform/http/action.ts';
import { listStarters as allStarters } from '../../../../scenarios/starters-store.ts';
import { consentWords } from '../../consent/scenario-words.ts';
import { loadScenario } from '../load.ts';
import { ScenarioParams } from '../schema.ts';
import { presentStarters } from './present.ts';
import { Starters } from './schema.ts';

/** GET /console/api/scenarios/:id/starters/: what starts the scenario. */
export const listStarters = actionFor<Member>()({
  params: ScenarioParams,
  response: Starters,
  load: loadScenario,
  handle: async ({ context: { sql }, principal: { projectId }, loaded }) =>
    presentStarters(await allStarters(sql, projectId), loaded.id, await consentWords(sql, projectId)),
});
