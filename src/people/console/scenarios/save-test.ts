import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { isTooLarge, mostKept } from '../../../platform/http/fields.ts';
import { withRoom } from '../../../platform/limits/room-store.ts';
import { invalid, messages } from '../../../platform/problem.ts';
import { parseScript } from '../../../scenarios/script.ts';
import { saveTest as storeTest } from '../../../scenarios/tests-store.ts';
import { loadScenario } from './load.ts';
import { presentTest } from './present.ts';
import { ScenarioParams, ScenarioTest, ScenarioTestCreate } from './schema.ts';

/** POST /console/api/scenarios/:id/tests/: adds a test, or replaces the one of that name. */
export const saveTest = actionFor<Member>()({
  params: ScenarioParams,
  body: ScenarioTestCreate,
  response: ScenarioTest,
  load: loadScenario,
  handle: async ({ context: { sql, clock, newId }, principal: { projectId }, loaded, body }) => {
    parseScript(body.script);
    if (isTooLarge(body.script)) throw invalid('script', messages.maxLength(mostKept));
    const test = { ...body, id: newId(), scenarioId: loaded.id, createdAt: clock.now() };
    return presentTest(
      await withRoom(sql, 'scenario_tests', projectId, (transaction) =>
        storeTest(transaction, projectId, test),
      ),
    );
  },
});
