import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { findDraft, noteEditor } from '../../../scenarios/drafts-store.ts';
import { loadScenario } from './load.ts';
import { ScenarioEditors, ScenarioParams } from './schema.ts';

/** An open page tells of itself three times within this time. */
const openMs = 30_000;

/** POST /console/api/scenarios/:id/editors/: the caller has the scenario open. Answers who else does. */
export const noteScenarioEditor = actionFor<Member>()({
  params: ScenarioParams,
  response: ScenarioEditors,
  load: loadScenario,
  handle: async ({ context: { sql, clock }, principal: { projectId, operatorId, name }, loaded }) => {
    const now = clock.now();
    const since = new Date(now.getTime() - openMs);
    const names = await noteEditor(sql, projectId, loaded.id, { operatorId, name }, { now, since });
    const draft = await findDraft(sql, projectId, loaded.id);
    return { names, version: loaded.version, revision: draft?.revision ?? 0 };
  },
});
