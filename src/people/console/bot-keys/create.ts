import type { Member } from '../../../access/auth/member.ts';
import { createBotKey } from '../../../access/projects/bot-keys.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { BotKeyName, NewBotKey } from './schema.ts';

/** POST /console/api/bot-keys/. A key is rotated by making another one and revoking this. */
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
