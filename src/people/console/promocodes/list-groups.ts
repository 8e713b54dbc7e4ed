import type { Member } from '../../../access/auth/member.ts';
import { countRows } from '../../../platform/database/row-counts.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { PageOf, pageOf } from '../../../platform/http/pages.ts';
import { stockedGroups } from './groups-store.ts';
import { StockedGroup } from './schema.ts';

/** GET /console/api/promocode-groups/: with their stock. */
export const listStockedGroups = actionFor<Member>()({
  response: PageOf(StockedGroup),
  handle: async ({ context: { sql, clock }, principal: { projectId }, request }) => {
    const page = pageOf(request);
    const count = await countRows(sql, projectId, 'promocode_groups');
    return page.envelope(count, await stockedGroups(sql, projectId, count, page, clock.now()));
  },
});
