import { queueMessages } from '../src/messaging/messages/queue-store.ts';
import type { Context } from '../src/platform/context.ts';

export type Recipient = { projectId: string; channelId: string; chat: string };

/** Queues this many texts at once, as a push would, and returns their ids. */
export async function queueTexts(
  { sql, clock, newId, wake }: Pick<Context, 'sql' | 'clock' | 'newId' | 'wake'>,
  { projectId, channelId, chat }: Recipient,
  count: number,
  launchAt: Date | null = null,
): Promise<string[]> {
  const now = clock.now();
  const ids = Array.from({ length: count }, () => newId());
  await queueMessages(
    sql,
    ids.map((id) => ({
      id,
      project_id: projectId,
      chat_id: chat,
      channel_id: channelId,
      source: 'push',
      content_type: 'TEXT',
      content: { text: 'Hello' },
      is_force: false,
      launch_at: launchAt,
      created_at: now,
      lane: 0,
      due_at: launchAt ?? now,
      state: 'PENDING',
    })),
  );
  wake.wake('sending');
  return ids;
}
