import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { readDetails } from './load.ts';
import { ChannelDetails } from './schema.ts';

/** GET /console/api/channels/{uuid}/: without its secrets. */
export const readChannel = actionFor<Member>()({
  params: UuidParams,
  response: ChannelDetails,
  load: readDetails,
  handle: async ({ loaded }) => loaded,
});
