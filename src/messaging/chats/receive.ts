import type { InboundEvent } from '../../channels/contract/inbound.ts';
import type { Context } from '../../platform/context.ts';
import type { Received } from './external-ids-store.ts';
import { moveChat } from './lasting-ids-store.ts';
import type { ReceiptEvent } from './receipts.ts';
import { receiveMessage } from './receive-message.ts';
import { type Receiving, startReceiving } from './receiving.ts';
import { resumeChat, stopChat } from './stop-store.ts';
import { makeStorable } from './storable.ts';
import type { ChatChannel } from './store.ts';

type Needs = Pick<Context, 'sql' | 'newId' | 'clock' | 'wake' | 'config' | 'log' | 'traces'>;

/**
 * Applies the events of a channel. Returns an answer for each event, in order, and null for events that are not
 * messages. Repeated or concurrent calls with the same events change nothing. A caller that does not know the outcome
 * may therefore repeat the call.
 * @param receiving the statements that concurrent calls share
 */
export async function receiveEvents(
  context: Needs,
  channel: ChatChannel,
  events: readonly InboundEvent[],
  receiving = startReceiving(context),
): Promise<(Received | null)[]> {
  const now = context.clock.now();
  for (const event of events) makeStorable(event);
  const receipts = events.filter(isReceipt);
  if (receipts.length > 0) await receiving.receipts({ channel, receipts, now });

  const received: (Received | null)[] = [];
  for (const event of events) received.push(await receive(context, receiving, channel, event, now));
  return received;
}

async function receive(
  context: Needs,
  receiving: Receiving,
  channel: ChatChannel,
  event: InboundEvent,
  now: Date,
): Promise<Received | null> {
  switch (event.kind) {
    case 'message':
      return receiveMessage(context, receiving, channel, event, now);
    case 'stopped':
      await stopChat(context.sql, channel, event.chat.externalId, now);
      return null;
    case 'returned':
      await resumeChat(context.sql, channel, event.chat.externalId);
      return null;
    case 'moved':
      await moveChat(context.sql, channel, event, now);
      return null;
    case 'templates_changed':
      context.wake.wake('templates');
      return null;
    case 'receipt':
    case 'pressed':
      return null;
  }
}

const isReceipt = (event: InboundEvent): event is ReceiptEvent => event.kind === 'receipt';
