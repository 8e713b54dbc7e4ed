import type { Member } from '../../../access/auth/member.ts';
import { countRows } from '../../../platform/database/row-counts.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { PageOf, pageOf } from '../../../platform/http/pages.ts';
import { presentSummary } from './present.ts';
import { MailingFilters, MailingSummary } from './schema.ts';
import { idsNamed, summariesOf, summariesPage } from './store.ts';

/** GET /console/api/mailings/: newest first. `search` is a part of a name. */
export const listSummaries = actionFor<Member>()({
  query: MailingFilters,
  response: PageOf(MailingSummary),
  handle: async ({ context: { sql }, principal: { projectId }, query: { search }, request }) => {
    const page = pageOf(request);
    if (search === undefined) {
      const count = await countRows(sql, projectId, 'mailings');
      const rows = await summariesPage(sql, projectId, count, page);
      return page.envelope(count, rows.map(presentSummary));
    }
    const ids = await idsNamed(sql, projectId, search);
    const rows = await summariesOf(sql, projectId, ids.slice(page.offset, page.offset + page.limit));
    return page.envelope(ids.length, rows.map(presentSummary));
  },
});
