import type { Member } from '../../../access/auth/member.ts';
import { deleteMember } from '../../../access/auth/team-store.ts';
import { releaseSessions } from '../../../messaging/chats/sessions-store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { findMember } from './store.ts';
import { whyUnchanged } from './update.ts';

/** DELETE /console/api/team/{uuid}/: removed from the next call on. Their open chats become unassigned. */
export const removeMember = actionFor<Member>()({
  params: UuidParams,
  load: ({ sql }, { projectId }, { uuid }) => findMember(sql, projectId, uuid),
  handle: async ({ context: { sql, log, wake }, principal: { projectId, operatorId }, loaded }) => {
    const move = { by: operatorId, id: loaded.id };
    await sql.begin(async (transaction) => {
      const isDeleted = await deleteMember(transaction, projectId, move);
      if (!isDeleted) throw await whyUnchanged(transaction, projectId, move);
      await releaseSessions(transaction, projectId, loaded.id);
    });
    wake.wake('live');
    log.info({ projectId, by: operatorId, operator: loaded.id }, 'a colleague was removed');
  },
});
