import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { presentChannel } from './present.ts';
import { ChannelList } from './schema.ts';
import { findChannels } from './store.ts';

/** GET /console/api/channels/: all of the project's, the oldest first. */
export const listChannels = actionFor<Member>()({
  response: ChannelList,
  handle: async ({ context: { sql, clock }, principal: { projectId } }) => {
    const now = clock.now();
    const rows = await findChannels(sql, projectId, now);
    return { results: rows.map((row) => presentChannel(row, now)) };
  },
});
