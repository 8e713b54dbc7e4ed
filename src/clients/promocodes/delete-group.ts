import { action } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { NotFound } from '../../platform/problem.ts';
import { deleteCodesOfGroup } from './codes-store.ts';
import { deleteGroupRow, findGroup } from './groups-store.ts';

/** Others have their turn at the embedded database after each statement, which takes about 15 ms. */
const atOnce = 1_000;

/**
 * DELETE /api/partners/promocode-groups/{uuid}/: the group with its codes. A group may have a million codes, so they
 * go in pieces, and the group last. An answer of 204 means that nothing is left. After a crash the same request
 * continues. Source: docs/contract.md, section 7.
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
    if (!(await deleteGroupRow(sql, projectId, id))) throw new NotFound();
  },
});
