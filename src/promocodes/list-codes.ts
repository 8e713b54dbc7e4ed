import { action } from '../http/action.ts';
import { PageOf, pageOf } from '../http/pages.ts';
import { countRows } from '../storage/row-counts.ts';
import { codesPage } from './codes-store.ts';
import { presentCode } from './present.ts';
import { Promocode } from './schema.ts';

/** GET /api/partners/promocodes/. Source: specification, "Promo codes". */
export const listCodes = action({
  name: 'listPromocodes',
  summary: 'List promo codes',
  response: PageOf(Promocode),
  handle: async ({ context: { sql }, principal: { projectId }, request }) => {
    const page = pageOf(request);
    const count = await countRows(sql, projectId, 'promocodes');
    const rows = await codesPage(sql, projectId, count, page);
    return page.envelope(count, rows.map(presentCode));
  },
});
