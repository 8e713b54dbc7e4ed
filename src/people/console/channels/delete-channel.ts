import type { Member } from '../../../access/auth/member.ts';
import { deleteChannel } from '../../../channels/connected/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { Refused } from '../../../platform/problem.ts';
import { loadOwnChannel } from './load.ts';

/** DELETE /console/api/channels/{uuid}/: only without chats, whose history would lose its channel. */
export const removeChannel = actionFor<Member>()({
  params: UuidParams,
  load: loadOwnChannel,
  handle: async ({ context, principal: { projectId }, loaded: { id } }) => {
    const deleted = await deleteChannel(context.sql, projectId, id);
    if (!deleted) throw new Refused('A channel with chats cannot be deleted. Pause it instead.');
    context.wake.wake('channels');
  },
});
