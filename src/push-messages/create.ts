import { creation } from '../http/action.ts';
import type { AcceptPush } from './accept.ts';
import { presentPushMessage } from './present.ts';
import { PushMessage, PushMessageCreate } from './schema.ts';
import { findPushMessage } from './store.ts';

/** POST /api/partners/push-messages/. Source: specification, endpoint 7. */
export const createPushMessage = (accept: AcceptPush) =>
  creation({
    body: PushMessageCreate,
    response: PushMessage,
    handle: async ({ principal, id, body }) => presentPushMessage(await accept(principal, id, body)),
    recall: async ({ sql }, { projectId }, id) => {
      const row = await findPushMessage(sql, projectId, id);
      return row && presentPushMessage(row);
    },
  });
