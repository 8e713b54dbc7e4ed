import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { findDraft } from '../../../scenarios/drafts-store.ts';
import { listTests } from '../../../scenarios/tests-store.ts';
import { loadScenario } from './load.ts';
import { presentScenario } from './present.ts';
import { Scenario, ScenarioParams } from './schema.ts';

/** GET /console/api/scenarios/:id/: the current version, with its draft and tests. */
export const readScenario = actionFor<Member>()({
  params: ScenarioParams,
  response: Scenario,
  load: loadScenario,
  handle: async ({ context: { sql }, principal: { projectId }, loaded }) =>
    presentScenario(
      loaded,
      await findDraft(sql, projectId, loaded.id),
      await listTests(sql, projectId, loaded.id),
    ),
});
