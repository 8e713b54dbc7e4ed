import type { Member } from '../../auth/member.ts';
import { actionFor } from '../../http/action.ts';
import { pageOf } from '../../http/pages.ts';
import { listBotKeys } from '../../projects/store.ts';
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
