import type { Member } from '../../access/auth/member.ts';
import { actionFor } from '../../platform/http/action.ts';
import { countLists } from './chats-store.ts';
import { ChatCounts } from './schema.ts';

/** GET /chat-center/api/counts/ */
export const countChats = actionFor<Member>()({
  response: ChatCounts,
  handle: async ({ context, principal }) => {
    const [counts] = await countLists(context.sql, principal, [principal.operatorId]);
    if (!counts) throw new Error('an operator was not counted for');
    return counts;
  },
});
