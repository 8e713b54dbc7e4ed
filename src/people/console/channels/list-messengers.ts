import type { Member } from '../../../access/auth/member.ts';
import { adapters } from '../../../channels/registry.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { presentMessenger } from './present.ts';
import { MessengerList } from './schema.ts';

/** GET /console/api/messengers/: the messengers that a channel can have, with their settings. */
export const listMessengers = actionFor<Member>()({
  response: MessengerList,
  handle: async () => ({ results: adapters.map(presentMessenger) }),
});
