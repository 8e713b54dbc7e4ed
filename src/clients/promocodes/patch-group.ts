import { action } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { NotFound } from '../../platform/problem.ts';
import { findGroup, renameGroup } from './groups-store.ts';
import { presentGroup } from './present.ts';
import { PromocodeGroup, PromocodeGroupPatch } from './schema.ts';

/** PATCH /api/partners/promocode-groups/{uuid}/. Source: docs/contract.md, section 7. */
export const patchGroup = action({
  name: 'updatePromocodeGroup',
  summary: 'Rename a group',
  params: UuidParams,
  body: PromocodeGroupPatch,
  response: PromocodeGroup,
  load: ({ sql }, { projectId }, { uuid }) => findGroup(sql, projectId, uuid),
  handle: async ({ context: { sql }, principal: { projectId }, body: { name }, loaded }) => {
    if (name === undefined) return presentGroup(loaded);
    const renamed = await renameGroup(sql, projectId, loaded.id, name);
    if (!renamed) throw new NotFound();
    return presentGroup(renamed);
  },
});
