import type { Member } from '../../auth/member.ts';
import { actionFor } from '../../http/action.ts';
import { UuidParams } from '../../http/fields.ts';
import { revokeBotKey } from '../../projects/bot-keys.ts';

/** DELETE /console/api/bot-keys/{uuid}/: the key is refused from the next call on. */
export const revokeKey = actionFor<Member>()({
  params: UuidParams,
  handle: async ({ context, principal: { projectId, operatorId }, params: { uuid } }) => {
    await revokeBotKey(context, { projectId, id: uuid });
    context.log.info({ projectId, by: operatorId, botKey: uuid }, 'a bot key was revoked');
  },
});
