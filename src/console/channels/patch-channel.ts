import type { Member } from '../../auth/member.ts';
import { actionFor } from '../../http/action.ts';
import { UuidParams } from '../../http/fields.ts';
import { changeChannel } from '../../projects/channels.ts';
import { loadOwnChannel } from './load.ts';
import { ChannelPatch } from './schema.ts';

/** PATCH /console/api/channels/{uuid}/: its name and settings. Secrets that are not given stay. */
export const patchChannel = actionFor<Member>()({
  params: UuidParams,
  body: ChannelPatch,
  load: loadOwnChannel,
  handle: async ({ context, body, loaded }) => {
    await changeChannel(context, loaded, body);
    context.wake.wake('channels');
  },
});
