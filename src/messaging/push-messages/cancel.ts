import { outboxRow } from '../../events/outbox.ts';
import type { Event } from '../../events/types.ts';
import type { Context } from '../../platform/context.ts';
import { action } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { Refused } from '../../platform/problem.ts';
import { presentMessageUpdated } from '../chats/present.ts';
import { findOpenSession } from '../chats/sessions-store.ts';
import { findChat } from '../chats/store.ts';
import { streamStatus } from '../chats/stream-events.ts';
import type { PushMessageRow } from './present.ts';
import { cancelPending, findPushMessage } from './store.ts';

/** POST /api/partners/push-messages/{uuid}/cancel/. Source: docs/contract.md, section 3. */
export const cancelPushMessage = action({
  name: 'cancelPushMessage',
  summary: 'Cancel a push message',
  description: 'A 204 means that nothing was sent.',
  refusals: { 400: { when: 'The message has left the state `PENDING` and stays unchanged.' } },
  params: UuidParams,
  load: ({ sql }, { projectId }, { uuid }) => findPushMessage(sql, projectId, uuid),
  handle: async ({ context, principal, loaded }) => {
    const { projectId } = principal;
    const { sql, clock, newId, wake } = context;
    const told = await eventsOf(context, projectId, loaded);
    const now = clock.now();
    const rows = told.map((event) => outboxRow(event, newId(), now, {}));
    if (!(await cancelPending(sql, projectId, loaded.id, rows, now))) {
      throw new Refused('Only a message in state PENDING can be cancelled.');
    }
    if (rows.length > 0) wake.wake('webhooks');
  },
});

/** The events of a cancel: for the message, and for the task if it is one. */
async function eventsOf(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  row: PushMessageRow,
): Promise<Event[]> {
  const [chat, session = null] = row.chat_id
    ? await Promise.all([findChat(sql, projectId, row.chat_id), findOpenSession(sql, projectId, row.chat_id)])
    : [];
  if (!chat) return [];
  const subject = { chat, message: { ...row, external_id: null }, session };
  const updated: Event = {
    type: 'message_updated',
    projectId,
    chatId: chat.id,
    platform: chat.platform,
    payload: presentMessageUpdated(subject, { code: 'CANCELLED', detail: '' }),
  };
  const task = { id: row.id, project_id: projectId };
  return [updated, ...(row.source === 'stream' ? [streamStatus(task, chat, 'CANCELLED')] : [])];
}
