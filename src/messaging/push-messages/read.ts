import { action } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { presentPushMessage } from './present.ts';
import { PushMessage } from './schema.ts';
import { findPushMessage } from './store.ts';

/** GET /api/partners/push-messages/{uuid}/. Source: docs/contract.md, section 3. */
export const readPushMessage = action({
  name: 'readPushMessage',
  summary: 'Read a push message',
  params: UuidParams,
  response: PushMessage,
  load: ({ sql }, { projectId }, { uuid }) => findPushMessage(sql, projectId, uuid),
  handle: async ({ loaded }) => presentPushMessage(loaded),
});
