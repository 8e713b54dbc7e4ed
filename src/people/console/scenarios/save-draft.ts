import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { findDraft, saveDraft as storeDraft } from '../../../scenarios/drafts-store.ts';
import { loadScenario } from './load.ts';
import { presentDraft } from './present.ts';
import { type DraftConflict, SavedDraft, ScenarioDraftSave, ScenarioParams } from './schema.ts';

/**
 * PUT /console/api/scenarios/:id/draft/: keeps a text that need not be valid yet. If another person has saved the
 * draft since the revision that it is based on, it answers 409 with that draft, and saves nothing.
 */
export const saveDraft = actionFor<Member>()({
  params: ScenarioParams,
  body: ScenarioDraftSave,
  response: SavedDraft,
  load: loadScenario,
  handle: async ({ context: { sql, clock }, principal: { projectId, name }, loaded, body, reply }) => {
    const { source, version, revision: from } = body;
    const draft = { source, version, savedBy: name, savedAt: clock.now() };
    const revision = await storeDraft(sql, projectId, { id: loaded.id, from }, draft);
    if (revision !== null) return { revision };
    const conflict: DraftConflict = {
      detail: 'Another person saved this draft after you opened it.',
      draft: presentDraft(await findDraft(sql, projectId, loaded.id)),
    };
    return reply.code(409).send(conflict);
  },
});
