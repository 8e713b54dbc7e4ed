import type { Channel } from '../../channels/connected/channels.ts';
import { clientOf } from '../../channels/connected/client.ts';
import type { InboundEvent, Press } from '../../channels/contract/inbound.ts';
import { adapterFor } from '../../channels/registry.ts';
import type { Context } from '../../platform/context.ts';
import { outboundUntil } from '../../platform/outbound/outbound.ts';
import type { Places } from '../../platform/places.ts';

/** A client looks no longer at a busy button. */
const answerMs = 5_000;
/** For one channel in one process. */
const mostAtOnce = 200;

/**
 * Answers the pressed buttons among these events. A provider that calls us must not wait for it, so it is done in the
 * background. The presses are stored by then, so that a failure costs only the end of a button's busy state.
 */
export function answerPresses(
  context: Context,
  channel: Channel,
  events: readonly InboundEvent[],
  places: Places,
): void {
  for (const event of events) {
    if (event.kind === 'pressed') void answerOne(context, channel, event.press, places);
  }
}

async function answerOne(context: Context, channel: Channel, press: Press, places: Places): Promise<void> {
  const leave = places.take(1, [{ subject: channel.id, most: mostAtOnce }]);
  try {
    if (!leave) throw new Error('Too many presses are being answered.');
    const adapter = adapterFor(channel.platform);
    const outbound = outboundUntil(context.outbound, AbortSignal.timeout(answerMs));
    await adapter.answerPress?.(press, channel.settings, clientOf(context, adapter, channel, outbound));
  } catch (error) {
    context.log.warn({ err: error, channel: channel.id }, 'a pressed button was not answered');
  } finally {
    leave?.();
  }
}
