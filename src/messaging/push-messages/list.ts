import { action } from '../../platform/http/action.ts';
import { PageOf, pageOf } from '../../platform/http/pages.ts';
import { presentPushMessage } from './present.ts';
import { PushMessage, PushMessageFilters } from './schema.ts';
import { countPushMessages, pushMessagesPage } from './store.ts';

/** GET /api/partners/push-messages/. Source: docs/contract.md, section 3. */
export const listPushMessages = action({
  name: 'listPushMessages',
  summary: 'List push messages',
  query: PushMessageFilters,
  response: PageOf(PushMessage),
  handle: async ({ context: { sql }, principal: { projectId }, query, request }) => {
    const page = pageOf(request);
    const count = await countPushMessages(sql, projectId, query);
    const rows = await pushMessagesPage(sql, projectId, query, count, page);
    return page.envelope(count, rows.map(presentPushMessage));
  },
});
