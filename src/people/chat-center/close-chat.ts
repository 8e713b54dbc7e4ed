import type { Member } from '../../access/auth/member.ts';
import { endSession } from '../../messaging/chats/sessions.ts';
import { actionFor } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { loadChat } from './load.ts';
import { entryOf } from './read-chat.ts';
import { ChatEntry, Closing } from './schema.ts';

/** POST /chat-center/api/chats/{uuid}/close/: returns the chat to its scenario. Closing none is no error. */
export const closeChat = actionFor<Member>()({
  params: UuidParams,
  body: Closing,
  response: ChatEntry,
  load: loadChat,
  handle: async ({ context, principal, body: { category = null, theme = null }, loaded }) => {
    const author = { uuid: principal.operatorId, name: principal.name };
    await endSession(context, loaded, { category, theme }, author);
    return entryOf(context, loaded);
  },
});
