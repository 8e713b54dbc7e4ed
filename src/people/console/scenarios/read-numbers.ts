import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { countsSince, waitingRuns } from '../../../scenarios/counts-store.ts';
import { loadScenario } from './load.ts';
import { presentNumbers } from './present.ts';
import { NumbersQuery, ScenarioNumbers, ScenarioParams } from './schema.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** GET /console/api/scenarios/:id/numbers/: what has happened at each step over a period, of all versions. */
export const readNumbers = actionFor<Member>()({
  params: ScenarioParams,
  query: NumbersQuery,
  response: ScenarioNumbers,
  load: loadScenario,
  handle: async ({ context: { sql, clock }, principal: { projectId }, loaded, query: { days = '7' } }) => {
    const since = new Date(clock.now().getTime() - (Number(days) - 1) * dayMs).toISOString().slice(0, 10);
    const counts = await countsSince(sql, projectId, loaded.id, since);
    return presentNumbers(counts, await waitingRuns(sql, projectId, loaded.id));
  },
});
