import { action } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { NotFound } from '../../platform/problem.ts';
import { deleteCodeRow } from './codes-store.ts';

/** DELETE /api/partners/promocodes/{uuid}/. Source: docs/contract.md, section 7. */
export const deleteCode = action({
  name: 'deletePromocode',
  summary: 'Delete a promo code',
  params: UuidParams,
  handle: async ({ context: { sql }, principal: { projectId }, params: { uuid } }) => {
    if (!(await deleteCodeRow(sql, projectId, uuid))) throw new NotFound();
  },
});
