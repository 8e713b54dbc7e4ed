import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { PageOf, pageOf } from '../../../platform/http/pages.ts';
import { ListedTemplate } from './schema.ts';
import { countTemplates, templatesPage } from './store.ts';

/** GET /console/api/templates/: by pid. */
export const listTemplates = actionFor<Member>()({
  response: PageOf(ListedTemplate),
  handle: async ({ context: { sql }, principal: { projectId }, request }) => {
    const page = pageOf(request);
    const count = await countTemplates(sql, projectId);
    return page.envelope(count, await templatesPage(sql, projectId, page));
  },
});
