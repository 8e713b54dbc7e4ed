import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { PageOf, pageOf } from '../../../platform/http/pages.ts';
import { presentListed } from './present.ts';
import { ListedScenario } from './schema.ts';
import { countScenarios, scenariosPage } from './store.ts';

/** GET /console/api/scenarios/: by name. */
export const listScenarios = actionFor<Member>()({
  response: PageOf(ListedScenario),
  handle: async ({ context: { sql }, principal: { projectId }, request }) => {
    const page = pageOf(request);
    const count = await countScenarios(sql, projectId);
    const rows = await scenariosPage(sql, projectId, page);
    return page.envelope(count, rows.map(presentListed));
  },
});
