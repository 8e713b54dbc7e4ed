import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { presentChannel } from './present.ts';
import { ChannelList } from './schema.ts';
import { findChannels } from './store.ts';

/** GET /console/api/channels/: all of the project's, the oldest first. */
export const listChannels = actionFor<Member>()({
  response: ChannelList,
  handle: async ({ context: { sql, clock }, principal: { projectId } }) => ({
    results: (await findChannels(sql, projectId, clock.now())).map(presentChannel),
  }),
});
