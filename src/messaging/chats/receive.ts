import type { InboundEvent } from '../../channels/contract/inbound.ts';
import type { Context } from '../../platform/context.ts';
import type { Received } from './external-ids-store.ts';
import { type ReceiptEvent, receiveReceipts } from './receipts.ts';
import { receiveMessage } from './receive-message.ts';
import { stopChat } from './stop-store.ts';
import type { ChatChannel } from './store.ts';

/**
 * Makes true what a channel tells. An answer for each event, in order; null for those that are no messages.
 * The same events once more, or at the same time, change nothing: whoever cannot tell whether this was done may repeat it.
 */
export async function receiveEvents(
  context: Pick<Context, 'sql' | 'clock' | 'newId' | 'wake'>,
  channel: ChatChannel,
  events: readonly InboundEvent[],
): Promise<(Received | null)[]> {
  const now = context.clock.now();
  const told = storable(events);
  await receiveReceipts(context, channel, told.filter(isReceipt), now);

  const received: (Received | null)[] = [];
  for (const event of told) received.push(await receive(context, channel, event, now));
  return received;
}

async function receive(
  context: Pick<Context, 'sql' | 'newId' | 'clock' | 'wake'>,
  channel: ChatChannel,
  event: InboundEvent,
  now: Date,
): Promise<Received | null> {
  switch (event.kind) {
    case 'message':
      return receiveMessage(context, channel, event, now);
    case 'stopped':
      await stopChat(context.sql, channel, event.chat.externalId, now);
      return null;
    case 'receipt':
    case 'templates_changed':
      return null;
  }
}

const isReceipt = (event: InboundEvent): event is ReceiptEvent => event.kind === 'receipt';

/** Names are keys of an index, which holds no more of them. */
const longestName = 255;

/**
 * Text that PostgreSQL refuses loses the refused characters, and a name too long for it its end: one such message must
 * not hold up those behind it.
 */
function storable(events: readonly InboundEvent[]): InboundEvent[] {
  return JSON.parse(JSON.stringify(events), (key, value) => {
    if (typeof value !== 'string') return value;
    const isName = key === 'name' || key === 'username';
    return (isName ? value.slice(0, longestName) : value).toWellFormed().replaceAll('\0', '');
  });
}
