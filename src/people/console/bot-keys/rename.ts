import type { Member } from '../../../access/auth/member.ts';
import { renameBotKey } from '../../../access/projects/bot-keys.ts';
import { findBotKey } from '../../../access/projects/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
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
