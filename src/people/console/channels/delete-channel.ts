import type { Member } from '../../../access/auth/member.ts';
import { deleteChannel } from '../../../channels/connected/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { NotFound, Refused } from '../../../platform/problem.ts';
import { loadOwnChannel } from './load.ts';

/** DELETE /console/api/channels/{uuid}/: only without chats, whose history would lose its channel. */
export const removeChannel = actionFor<Member>()({
  params: UuidParams,
  load: loadOwnChannel,
  handle: async ({ context, principal, params, loaded: { id } }) => {
    const deleted = await deleteChannel(context.sql, principal.projectId, id);
    if (!deleted) {
      const isThere = await loadOwnChannel(context, principal, params);
      throw isThere
        ? new Refused('A channel with chats cannot be deleted. Pause it instead.')
        : new NotFound();
    }
    context.wake.wake('channels');
  },
});
