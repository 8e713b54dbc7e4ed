import { creation } from '../../platform/http/action.ts';
import type { AcceptPush } from './accept.ts';
import { presentPushMessage } from './present.ts';
import { PushMessage, PushMessageCreate } from './schema.ts';
import { findPushMessage } from './store.ts';

/** POST /api/partners/push-messages/. Source: docs/contract.md, section 3. */
export const createPushMessage = (accept: AcceptPush) =>
  creation({
    name: 'createPushMessage',
    summary: 'Send one personal message',
    description:
      'Sends to one chat or client profile, now or at `launch_at`. If both are given, the chat is the recipient and must belong to the profile. A profile receives the message in its most recently active chat that supports the content.',
    line: 'gathered',
    refusals: { 404: { when: 'The chat or profile does not exist.' } },
    body: PushMessageCreate,
    response: PushMessage,
    handle: async ({ principal, id, body }) => presentPushMessage(await accept(principal, id, body)),
    recall: async ({ sql }, { projectId }, id) => {
      const row = await findPushMessage(sql, projectId, id);
      return row && presentPushMessage(row);
    },
  });
