import type { Member } from '../../auth/member.ts';
import { actionFor } from '../../http/action.ts';
import { UuidParams } from '../../http/fields.ts';
import { checkChannel } from '../../projects/channels.ts';
import { loadOwnChannel } from './load.ts';

/** POST /console/api/channels/{uuid}/check/: whether the provider takes the channel's settings; 400 says what it refuses. */
export const checkAChannel = actionFor<Member>()({
  params: UuidParams,
  load: loadOwnChannel,
  handle: ({ context, loaded }) => checkChannel(context, loaded),
});
