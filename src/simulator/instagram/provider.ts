import { graphError } from '../graph/graph.ts';
import {
  type GraphMessages,
  type GraphMessagesAccount,
  type GraphMessenger,
  startGraphMessages,
} from '../graph/messages.ts';
import type { Place } from '../http-api.ts';
import type { WhoIs } from '../people.ts';

export const refusals: GraphMessenger['refusals'] = {
  windowClosed: graphError(400, 10, 'This message is sent outside of allowed window.', {
    subcode: 2534022,
  }),
  unknownPerson: graphError(400, 100, 'The requested user cannot be found.', { subcode: 2534014 }),
};

/** A professional account, by the Instagram API with Instagram login. */
export const startInstagram = (
  place: Place,
  account: GraphMessagesAccount,
  whoIs?: WhoIs,
): Promise<GraphMessages> =>
  startGraphMessages(
    place,
    account,
    {
      object: 'instagram',
      me: { id: '9087654321', user_id: account.id, username: 'a.shop' },
      fields: [
        'messages',
        'messaging_postbacks',
        'messaging_referral',
        'messaging_seen',
        'message_reactions',
      ],
      isTooLong: (text) => Buffer.byteLength(text) > 1000,
      refusals,
    },
    whoIs,
  );
