import type { Member } from '../../../access/auth/member.ts';
import { pauseChannel, resumeChannel } from '../../../channels/connected/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { loadOwnChannel } from './load.ts';

/** POST /console/api/channels/{uuid}/pause/: its messages wait. Clients' messages are still received. */
export const pauseAChannel = actionFor<Member>()({
  params: UuidParams,
  load: loadOwnChannel,
  handle: ({ context, principal: { projectId, name }, loaded: { id } }) =>
    pauseChannel(context.sql, projectId, id, name),
});

/** POST /console/api/channels/{uuid}/resume/: sends the waiting messages, whatever the reason of the pause. */
export const resumeAChannel = actionFor<Member>()({
  params: UuidParams,
  load: loadOwnChannel,
  handle: async ({ context, principal: { projectId }, loaded: { id } }) => {
    await resumeChannel(context.sql, projectId, id);
    context.wake.wake('sending');
  },
});
