import { countRows } from '../../platform/database/row-counts.ts';
import { action } from '../../platform/http/action.ts';
import { PageOf, pageOf } from '../../platform/http/pages.ts';
import { groupsPage } from './groups-store.ts';
import { presentGroup } from './present.ts';
import { PromocodeGroup } from './schema.ts';

/** GET /api/partners/promocode-groups/. Source: docs/contract.md, section 7. */
export const listGroups = action({
  name: 'listPromocodeGroups',
  summary: 'List promo code groups',
  response: PageOf(PromocodeGroup),
  handle: async ({ context: { sql }, principal: { projectId }, request }) => {
    const page = pageOf(request);
    const count = await countRows(sql, projectId, 'promocode_groups');
    const rows = await groupsPage(sql, projectId, count, page);
    return page.envelope(count, rows.map(presentGroup));
  },
});
