import type { Member } from '../../../access/auth/member.ts';
import { listBotKeys } from '../../../access/projects/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { pageOf } from '../../../platform/http/pages.ts';
import { presentBotKey } from './present.ts';
import { BotKeys } from './schema.ts';

/** GET /console/api/bot-keys/: those that are good. Of a key nothing but its hash is kept, so its name has to tell it. */
export const listKeys = actionFor<Member>()({
  response: BotKeys,
  handle: async ({ context: { sql }, principal: { projectId }, request }) => {
    const { limit, offset, envelope } = pageOf(request);
    const rows = await listBotKeys(sql, projectId);
    return envelope(rows.length, rows.slice(offset, offset + limit).map(presentBotKey));
  },
});
