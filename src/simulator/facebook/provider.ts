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
  windowClosed: graphError(400, 10, '(#10) This message is sent outside of allowed window.', {
    subcode: 2018278,
  }),
  unknownPerson: graphError(400, 100, '(#100) No matching user found', { subcode: 2018001 }),
};

/** A page on the Messenger Platform. */
export const startFacebook = (
  place: Place,
  page: GraphMessagesAccount,
  whoIs?: WhoIs,
): Promise<GraphMessages> =>
  startGraphMessages(
    place,
    page,
    {
      object: 'page',
      me: { id: page.id, name: 'A page' },
      fields: [
        'messages',
        'messaging_postbacks',
        'messaging_referrals',
        'message_deliveries',
        'message_reads',
        'message_echoes',
      ],
      isTooLong: (text) => Array.from(text).length > 2000,
      refusals,
    },
    whoIs,
  );
