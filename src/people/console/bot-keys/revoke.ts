import type { Member } from '../../../access/auth/member.ts';
import { revokeBotKey } from '../../../access/projects/bot-keys.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';

/** DELETE /console/api/bot-keys/{uuid}/: the key is refused from the next call on. */
export const revokeKey = actionFor<Member>()({
  params: UuidParams,
  handle: async ({ context, principal: { projectId, operatorId }, params: { uuid } }) => {
    await revokeBotKey(context, { projectId, id: uuid });
    context.log.info({ projectId, by: operatorId, botKey: uuid }, 'a bot key was revoked');
  },
});
