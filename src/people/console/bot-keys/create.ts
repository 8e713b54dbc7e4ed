import type { Member } from '../../../access/auth/member.ts';
import { createBotKey } from '../../../access/projects/bot-keys.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { BotKeyName, NewBotKey } from './schema.ts';

/** POST /console/api/bot-keys/. To rotate a key, make another one and revoke the old one. */
export const createKey = actionFor<Member>()({
  body: BotKeyName,
  response: NewBotKey,
  status: 201,
  handle: async ({ context, principal: { projectId, operatorId }, body: { name } }) => {
    const { id, key } = await createBotKey(context, { projectId, name });
    context.log.info({ projectId, by: operatorId, botKey: id }, 'a bot key was made');
    return { uuid: id, key };
  },
});
