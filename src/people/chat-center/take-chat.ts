import type { Member } from '../../access/auth/member.ts';
import { giveSession } from '../../messaging/chats/sessions.ts';
import { actionFor } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { loadChat } from './load.ts';
import { entryOf } from './read-chat.ts';
import { ChatEntry } from './schema.ts';

/** POST /chat-center/api/chats/{uuid}/take/: assigns the chat to the operator, even from a colleague. */
export const takeChat = actionFor<Member>()({
  params: UuidParams,
  response: ChatEntry,
  load: loadChat,
  handle: async ({ context, principal: { operatorId, name }, loaded }) => {
    const operator = { uuid: operatorId, name };
    const giving = { to: operator, author: operator, fromAnyone: true };
    await giveSession(context, loaded, giving, context.clock.now());
    return entryOf(context, loaded);
  },
});
