import type { Member } from '../../../access/auth/member.ts';
import { addChannel } from '../../../channels/connected/channels.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { checkAddresses } from './check-addresses.ts';
import { presentChannel } from './present.ts';
import { Channel, ChannelCreate } from './schema.ts';
import { findChannel } from './store.ts';

/** POST /console/api/channels/: adds a channel, once its provider has our address. */
export const createChannel = actionFor<Member>()({
  line: 'foreign',
  status: 201,
  body: ChannelCreate,
  response: Channel,
  handle: async ({ context, principal: { projectId }, body, request }) => {
    const { sql, clock, wake } = context;
    const settings = Object.fromEntries(Object.entries(body.settings).filter(([, value]) => value !== ''));
    await checkAddresses(context, body.platform, settings);
    const confirm = async () => request.admitted?.confirm();
    const { id } = await addChannel(context, { ...body, projectId, settings }, confirm);
    wake.wake('channels');
    const now = clock.now();
    const row = await findChannel(sql, projectId, id, now);
    if (!row) throw new Error('The new channel was not found.');
    return presentChannel(row, now);
  },
});
