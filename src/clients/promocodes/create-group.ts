import { creation } from '../../platform/http/action.ts';
import { withRoom } from '../../platform/limits/room-store.ts';
import { findGroup, insertGroup } from './groups-store.ts';
import { presentGroup } from './present.ts';
import { PromocodeGroup, PromocodeGroupCreate } from './schema.ts';

/** POST /api/partners/promocode-groups/. Source: docs/contract.md, section 7. */
export const createGroup = creation({
  name: 'createPromocodeGroup',
  summary: 'Create a promo code group',
  body: PromocodeGroupCreate,
  response: PromocodeGroup,
  handle: async ({ context: { sql, clock }, principal: { projectId }, body: { name }, id }) => {
    await withRoom(sql, 'promocode_groups', projectId, (transaction) =>
      insertGroup(transaction, projectId, { id, name, createdAt: clock.now() }),
    );
    return presentGroup({ id, name });
  },
  recall: async ({ sql }, { projectId }, id) => {
    const row = await findGroup(sql, projectId, id);
    return row && presentGroup(row);
  },
});
