import type { Member } from '../../../access/auth/member.ts';
import type { Context } from '../../../platform/context.ts';
import { isUniqueViolation } from '../../../platform/database/unique-violation.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { withRoom } from '../../../platform/limits/room-store.ts';
import { invalid, messages, NotFound } from '../../../platform/problem.ts';
import { findDraft } from '../../../scenarios/drafts-store.ts';
import { insertVersion } from '../../../scenarios/versions-store.ts';
import { loadScenario } from './load.ts';
import { presentDraft, presentSource } from './present.ts';
import { versionOf } from './read-source.ts';
import { type Conflict, SavedScenario, ScenarioParams, ScenarioUpdate } from './schema.ts';
import { findScenario } from './store.ts';
import { findVersion } from './versions-store.ts';

/**
 * PUT /console/api/scenarios/:id/: saves a version on top of the one that the change is based on, and ends the draft
 * that it publishes. If the version or the draft has changed since, it answers 409 with both, and saves nothing.
 */
export const updateScenario = actionFor<Member>()({
  params: ScenarioParams,
  body: ScenarioUpdate,
  response: SavedScenario,
  load: loadScenario,
  handle: async ({ context, principal: { projectId, operatorId, name }, loaded, body, reply }) => {
    const { sql, log } = context;
    const scenario = { id: loaded.id, from: body.version, revision: body.revision ?? null };
    const version = await versionOf(context, body.source, name);
    const saved = await withRoom(sql, 'scenario_versions', projectId, (transaction) =>
      insertVersion(transaction, projectId, scenario, version),
    ).catch((error: unknown) => {
      throw isUniqueViolation(error, 'scenarios_project_id_name_key')
        ? invalid('name', messages.unique)
        : error;
    });
    if (!saved) return reply.code(409).send(await conflictWith(context, projectId, scenario));
    log.info(
      { projectId, scenario: saved.id, version: saved.version, operator: operatorId },
      'a scenario was saved',
    );
    return saved;
  },
});

async function conflictWith(
  { sql }: Context,
  projectId: string,
  { id, from }: { id: number; from: number },
): Promise<Conflict> {
  const current = await findScenario(sql, projectId, id);
  if (!current) throw new NotFound();
  const began = await findVersion(sql, projectId, id, from);
  return {
    detail: 'Another person saved this scenario after you opened it.',
    current: presentSource(current),
    began_from: began ? presentSource(began) : null,
    draft: presentDraft(await findDraft(sql, projectId, id)),
  };
}
