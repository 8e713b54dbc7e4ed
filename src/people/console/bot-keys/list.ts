import type { Member } from '../../../access/auth/member.ts';
import { listBotKeys } from '../../../access/projects/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { pageOf } from '../../../platform/http/pages.ts';
import { presentBotKey } from './present.ts';
import { BotKeys } from './schema.ts';

/** GET /console/api/bot-keys/: the valid keys. Only a key's hash is stored, so its name must identify it. */
export const listKeys = actionFor<Member>()({
  response: BotKeys,
  handle: async ({ context: { sql }, principal: { projectId }, request }) => {
    const { limit, offset, envelope } = pageOf(request);
    const rows = await listBotKeys(sql, projectId);
    return envelope(rows.length, rows.slice(offset, offset + limit).map(presentBotKey));
  },
});
