import { hurryQueues } from '../../../events/replay-store.ts';
import type { Context } from '../../../platform/context.ts';

const chatsAtOnce = 500;

/** Delivers an endpoint's waiting events at once, some of which have waited for hours. */
export async function deliverWaiting({ sql, clock, wake }: Context, endpointId: string): Promise<void> {
  const now = clock.now();
  while ((await hurryQueues(sql, endpointId, { now, atMost: chatsAtOnce })) === chatsAtOnce);
  wake.wake('webhooks');
}
