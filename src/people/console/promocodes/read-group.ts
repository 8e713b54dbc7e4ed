import type { Member } from '../../../access/auth/member.ts';
import { findGroup } from '../../../clients/promocodes/groups-store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { NotFound } from '../../../platform/problem.ts';
import { stockOf } from './groups-store.ts';
import { StockedGroup } from './schema.ts';

/** GET /console/api/promocode-groups/{uuid}/: with its stock. */
export const readStockedGroup = actionFor<Member>()({
  params: UuidParams,
  response: StockedGroup,
  load: ({ sql }, { projectId }, { uuid }) => findGroup(sql, projectId, uuid),
  handle: async ({ context: { sql, clock }, principal: { projectId }, loaded }) => {
    const [stocked] = await stockOf(sql, projectId, [loaded], clock.now());
    if (!stocked) throw new NotFound();
    return stocked;
  },
});
