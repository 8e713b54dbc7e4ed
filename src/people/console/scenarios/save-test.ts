import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { isTooLarge, mostKept } from '../../../platform/http/fields.ts';
import { withRoom } from '../../../platform/limits/room-store.ts';
import { invalid, messages, Refused } from '../../../platform/problem.ts';
import { parseScript } from '../../../scenarios/script.ts';
import { sizeOfTests, saveTest as storeTest } from '../../../scenarios/tests-store.ts';
import { loadScenario } from './load.ts';
import { presentTest } from './present.ts';
import { ScenarioParams, ScenarioTest, ScenarioTestCreate } from './schema.ts';

/** The page of a scenario lists all its tests. */
const mostOfTests = 1_048_576;
const tooLarge = `The tests of this scenario are too large together: they may have ${mostOfTests} characters.`;

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
    const stored = await withRoom(sql, 'scenario_tests', projectId, async (transaction) => {
      const row = await storeTest(transaction, projectId, test);
      if ((await sizeOfTests(transaction, projectId, loaded.id)) > mostOfTests) throw new Refused(tooLarge);
      return row;
    });
    return presentTest(stored);
  },
});
