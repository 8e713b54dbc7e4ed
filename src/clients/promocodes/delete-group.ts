import { action } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { deleteCodesOfGroup } from './codes-store.ts';
import { deleteGroupRow, findGroup } from './groups-store.ts';

/** So many codes go in well under the time that a statement has, and block the embedded database for no longer. */
const atOnce = 5_000;

/**
 * DELETE /api/partners/promocode-groups/{uuid}/: the group with its codes. There may be a million of them, so they go
 * piece by piece, and the group last: an answer of 204 means that nothing is left, and after a crash the same request goes on.
 * Source: docs/contract.md, section 7.
 */
export const deleteGroup = action({
  name: 'deletePromocodeGroup',
  summary: 'Delete a group with its codes',
  params: UuidParams,
  load: ({ sql }, { projectId }, { uuid }) => findGroup(sql, projectId, uuid),
  handle: async ({ context: { sql }, principal: { projectId }, loaded: { id } }) => {
    let deleted: number;
    do {
      deleted = await deleteCodesOfGroup(sql, projectId, id, atOnce);
    } while (deleted === atOnce);
    await deleteGroupRow(sql, projectId, id);
  },
});
