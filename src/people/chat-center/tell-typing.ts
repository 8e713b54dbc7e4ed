import type { Member } from '../../access/auth/member.ts';
import { actionFor } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import type { LiveFeed } from '../widget/feed.ts';
import type { ChatFeed } from './feed.ts';
import { loadChat } from './load.ts';

/**
 * POST /chat-center/api/chats/{uuid}/typing/: shows colleagues, and the client in a widget, for some seconds that the
 * operator is typing.
 */
export const tellTyping = (feed: ChatFeed, visitors: LiveFeed) =>
  actionFor<Member>()({
    params: UuidParams,
    load: loadChat,
    handle: async ({ principal: { operatorId, name }, loaded }) => {
      feed.typing(loaded, { chat: loaded.id, author: { uuid: operatorId, name } });
      await visitors.typing({ projectId: loaded.project_id, id: loaded.id }, name);
    },
  });
