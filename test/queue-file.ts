import { queueMessages } from '../src/messaging/messages/queue-store.ts';
import type { Context } from '../src/platform/context.ts';
import type { Recipient } from './queue-texts.ts';

/** Queues a file of an operator at this address, and returns the message's id. The caller wakes the engine. */
export async function queueFile(
  { sql, clock, newId }: Pick<Context, 'sql' | 'clock' | 'newId'>,
  { projectId, channelId, chat }: Recipient,
  { type, url }: { type: 'image' | 'document'; url: string },
): Promise<string> {
  const id = newId();
  await queueMessages(sql, [
    {
      id,
      project_id: projectId,
      chat_id: chat,
      channel_id: channelId,
      source: 'operator',
      content_type: type,
      content: { url },
      is_force: false,
      created_at: clock.now(),
      lane: 0,
      due_at: clock.now(),
      state: 'PENDING',
    },
  ]);
  return id;
}
