import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { PageOf, pageOf } from '../../../platform/http/pages.ts';
import { loadScenario } from './load.ts';
import { presentVersion } from './present.ts';
import { ScenarioParams, ScenarioVersion } from './schema.ts';
import { versionsPage } from './versions-store.ts';

/** GET /console/api/scenarios/:id/versions/: the newest first. */
export const listVersions = actionFor<Member>()({
  params: ScenarioParams,
  response: PageOf(ScenarioVersion),
  load: loadScenario,
  handle: async ({ context: { sql }, principal: { projectId }, loaded, request }) => {
    const page = pageOf(request);
    const rows = await versionsPage(sql, projectId, loaded.id, page);
    return page.envelope(loaded.version, rows.map(presentVersion));
  },
});
