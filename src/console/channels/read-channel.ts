import type { Member } from '../../auth/member.ts';
import { actionFor } from '../../http/action.ts';
import { UuidParams } from '../../http/fields.ts';
import { readDetails } from './load.ts';
import { ChannelDetails } from './schema.ts';

/** GET /console/api/channels/{uuid}/: without its secrets. */
export const readChannel = actionFor<Member>()({
  params: UuidParams,
  response: ChannelDetails,
  load: readDetails,
  handle: async ({ loaded }) => loaded,
});
