import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { loadOwnChannel } from './load.ts';
import { presentFirstMessage } from './present.ts';
import { FirstMessage } from './schema.ts';
import { findFirstCall, findFirstMessage, findNewestChat } from './store.ts';

/** GET /console/api/channels/{uuid}/first-message/: whether the channel has begun to work. */
export const readFirstMessage = actionFor<Member>()({
  params: UuidParams,
  response: FirstMessage,
  load: loadOwnChannel,
  handle: async ({ context: { sql }, principal: { projectId }, loaded: { id } }) => {
    const chat = await findNewestChat(sql, projectId, id);
    const message = chat && (await findFirstMessage(sql, projectId, chat.id));
    return presentFirstMessage(await findFirstCall(sql, projectId, id), message);
  },
});
