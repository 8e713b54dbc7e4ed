import type { Member } from '../../access/auth/member.ts';
import { markRead } from '../../messaging/chats/read-marks-store.ts';
import { actionFor } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { loadChat } from './load.ts';
import { entryOf } from './read-chat.ts';
import { ChatEntry, ReadMark } from './schema.ts';

/** POST /chat-center/api/chats/{uuid}/read/: marks the client's messages up to this one as read, for all operators. */
export const markChatRead = actionFor<Member>()({
  params: UuidParams,
  body: ReadMark,
  response: ChatEntry,
  load: loadChat,
  handle: async ({ context, body: { message }, loaded }) => {
    await markRead(context.sql, loaded, message);
    context.wake.wake('live');
    return entryOf(context, loaded);
  },
});
