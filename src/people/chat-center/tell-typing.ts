import type { Member } from '../../access/auth/member.ts';
import { actionFor } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { announceTyping } from '../widget/typing.ts';
import { loadChat } from './load.ts';

/**
 * POST /chat-center/api/chats/{uuid}/typing/: shows colleagues, and the client in a widget, for some seconds that the
 * operator is typing. They may be connected to any process.
 */
export const tellTyping = actionFor<Member>()({
  params: UuidParams,
  load: loadChat,
  handle: async ({ context: { wake }, principal: { operatorId, name }, loaded }) =>
    announceTyping(wake, {
      project: loaded.project_id,
      profile: loaded.profile_id,
      chat: loaded.id,
      author: { uuid: operatorId, name },
    }),
});
