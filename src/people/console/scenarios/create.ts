import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { withRoom } from '../../../platform/limits/room-store.ts';
import { invalid, messages } from '../../../platform/problem.ts';
import { insertScenario } from '../../../scenarios/versions-store.ts';
import { versionOf } from './read-source.ts';
import { SavedScenario, ScenarioCreate } from './schema.ts';

/** POST /console/api/scenarios/. */
export const createScenario = actionFor<Member>()({
  body: ScenarioCreate,
  response: SavedScenario,
  status: 201,
  handle: async ({ context, principal: { projectId, operatorId, name }, body }) => {
    const { sql, log } = context;
    const version = await versionOf(context, body.source, name);
    const saved = await withRoom(sql, 'scenarios', projectId, (transaction) =>
      insertScenario(transaction, projectId, version),
    );
    if (!saved) throw invalid('name', messages.unique);
    log.info({ projectId, scenario: saved.id, operator: operatorId }, 'a scenario was made');
    return saved;
  },
});
