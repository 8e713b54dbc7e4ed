import type { Context } from '../platform/context.ts';
import { nilUuid } from '../platform/id.ts';
import { lookAtDisplaced } from './displaced-store.ts';

const lookedAtOnce = 500;

/** Finds out which scenarios have begun in their chats with a message, and gives the other chats back. */
export async function settleDisplaced({
  sql,
  clock,
  wake,
}: Pick<Context, 'sql' | 'clock' | 'wake'>): Promise<void> {
  let place: Awaited<ReturnType<typeof lookAtDisplaced>> = { project_id: nilUuid, chat_id: nilUuid };
  while (place) place = await lookAtDisplaced(sql, place, { now: clock.now(), atMost: lookedAtOnce });
  wake.wake('running');
}
