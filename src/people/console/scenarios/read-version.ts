import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { presentSource } from './present.ts';
import { ScenarioSource, VersionParams } from './schema.ts';
import { findVersion } from './versions-store.ts';

/** GET /console/api/scenarios/:id/versions/:version/. */
export const readVersion = actionFor<Member>()({
  params: VersionParams,
  response: ScenarioSource,
  load: ({ sql }, { projectId }, { id, version }) => findVersion(sql, projectId, Number(id), Number(version)),
  handle: async ({ loaded }) => presentSource(loaded),
});
