import { hurryQueues } from '../../../events/replay-store.ts';
import type { Context } from '../../../platform/context.ts';

const chatsAtOnce = 5_000;

/** What waits for an endpoint, some of it for hours, is delivered at once. */
export async function deliverWaiting({ sql, clock, wake }: Context, endpointId: string): Promise<void> {
  const now = clock.now();
  while ((await hurryQueues(sql, endpointId, { now, atMost: chatsAtOnce })) === chatsAtOnce);
  wake.wake('webhooks');
}
