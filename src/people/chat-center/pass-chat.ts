import type { Member } from '../../access/auth/member.ts';
import { findOperator } from '../../access/auth/operators-store.ts';
import { giveSession } from '../../messaging/chats/sessions.ts';
import { actionFor } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { invalid, messages } from '../../platform/problem.ts';
import { loadChat } from './load.ts';
import { entryOf } from './read-chat.ts';
import { ChatEntry, Passing } from './schema.ts';

/** POST /chat-center/api/chats/{uuid}/pass/: assigns the chat to a colleague. */
export const passChat = actionFor<Member>()({
  params: UuidParams,
  body: Passing,
  response: ChatEntry,
  load: loadChat,
  handle: async ({ context, principal, body: { operator: uuid }, loaded }) => {
    const colleague = await findOperator(context.sql, principal.projectId, uuid);
    if (!colleague) throw invalid('operator', messages.missingObject(uuid));
    const to = { uuid: colleague.id, name: colleague.name };
    const author = { uuid: principal.operatorId, name: principal.name };
    await giveSession(context, loaded, { to, author, fromAnyone: true }, context.clock.now());
    return entryOf(context, loaded);
  },
});
