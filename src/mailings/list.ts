import { countRows } from '../platform/database/row-counts.ts';
import { action } from '../platform/http/action.ts';
import { PageOf, pageOf } from '../platform/http/pages.ts';
import { presentMailing } from './present.ts';
import { Mailing } from './schema.ts';
import { mailingsPage } from './store.ts';

/** GET /api/partners/mailings/. Source: docs/contract.md, section 5. */
export const listMailings = action({
  name: 'listMailings',
  summary: 'List mailings',
  response: PageOf(Mailing),
  handle: async ({ context: { sql, clock }, principal: { projectId }, request }) => {
    const page = pageOf(request);
    const count = await countRows(sql, projectId, 'mailings');
    const rows = await mailingsPage(sql, projectId, count, page);
    const now = clock.now();
    return page.envelope(
      count,
      rows.map((row) => presentMailing(row, now)),
    );
  },
});
