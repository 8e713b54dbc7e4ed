import type { Member } from '../../access/auth/member.ts';
import { closeSession } from '../../messaging/chats/sessions-store.ts';
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
    const { sql, clock, newId, wake } = context;
    const place = { projectId: principal.projectId, chatId: loaded.id, stepId: newId() };
    const author = { uuid: principal.operatorId, name: principal.name };
    await closeSession(sql, place, { category, theme }, author, clock.now());
    wake.wake('live');
    return entryOf(context, loaded);
  },
});
