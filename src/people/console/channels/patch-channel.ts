import type { Member } from '../../../access/auth/member.ts';
import { changeChannel } from '../../../channels/connected/channels.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { checkAddresses } from './check-addresses.ts';
import { loadOwnChannel } from './load.ts';
import { ChannelPatch } from './schema.ts';

/** PATCH /console/api/channels/{uuid}/: its name and settings. Absent secrets stay. */
export const patchChannel = actionFor<Member>()({
  line: 'foreign',
  params: UuidParams,
  body: ChannelPatch,
  load: loadOwnChannel,
  handle: async ({ context, body, loaded, request }) => {
    await checkAddresses(context, loaded.platform, body.settings ?? {});
    await changeChannel(context, loaded, body, async () => request.admitted?.confirm());
    context.wake.wake('channels');
  },
});
