import { action } from '../../platform/http/action.ts';
import { PageOf, pageOf } from '../../platform/http/pages.ts';
import { codesPage, countCodes } from './codes-store.ts';
import { presentCode } from './present.ts';
import { Promocode, PromocodeFilters } from './schema.ts';

/** GET /api/partners/promocodes/. Source: docs/contract.md, section 7. */
export const listCodes = action({
  name: 'listPromocodes',
  summary: 'List promo codes',
  query: PromocodeFilters,
  response: PageOf(Promocode),
  handle: async ({ context: { sql }, principal: { projectId }, query, request }) => {
    const page = pageOf(request);
    const count = await countCodes(sql, projectId, query);
    const rows = await codesPage(sql, projectId, query, count, page);
    return page.envelope(count, rows.map(presentCode));
  },
});
