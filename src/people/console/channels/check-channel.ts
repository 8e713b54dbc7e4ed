import type { Member } from '../../../access/auth/member.ts';
import { checkChannel } from '../../../channels/connected/channels.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { loadOwnChannel } from './load.ts';

/**
 * POST /console/api/channels/{uuid}/check/: whether the provider accepts the channel's settings. 400 with the
 * provider's refusal.
 */
export const checkAChannel = actionFor<Member>()({
  line: 'foreign',
  params: UuidParams,
  load: loadOwnChannel,
  handle: ({ context, loaded }) => checkChannel(context, loaded),
});
