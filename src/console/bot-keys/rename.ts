import type { Member } from '../../auth/member.ts';
import { actionFor } from '../../http/action.ts';
import { UuidParams } from '../../http/fields.ts';
import { renameBotKey } from '../../projects/bot-keys.ts';
import { findBotKey } from '../../projects/store.ts';
import { presentBotKey } from './present.ts';
import { BotKey, BotKeyName } from './schema.ts';

/** PATCH /console/api/bot-keys/{uuid}/. */
export const renameKey = actionFor<Member>()({
  params: UuidParams,
  load: ({ sql }, { projectId }, { uuid }) => findBotKey(sql, projectId, uuid),
  body: BotKeyName,
  response: BotKey,
  handle: async ({ context, principal: { projectId }, loaded: { id }, body: { name } }) =>
    presentBotKey(await renameBotKey(context, { projectId, id }, name)),
});
