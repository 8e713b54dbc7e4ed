import type { InboundEvent } from '../../channels/contract/inbound.ts';
import type { Context } from '../../platform/context.ts';
import type { Received } from './external-ids-store.ts';
import { type ReceiptEvent, receiveReceipts } from './receipts.ts';
import { receiveMessage } from './receive-message.ts';
import { stopChat } from './stop-store.ts';
import type { ChatChannel } from './store.ts';

type Needs = Pick<Context, 'sql' | 'newId' | 'clock' | 'wake' | 'config' | 'log'>;

/**
 * Applies the events of a channel. Returns an answer for each event, in order, and null for events that are not
 * messages. Repeated or concurrent calls with the same events change nothing. A caller that does not know the outcome
 * may therefore repeat the call.
 */
export async function receiveEvents(
  context: Needs,
  channel: ChatChannel,
  events: readonly InboundEvent[],
): Promise<(Received | null)[]> {
  const now = context.clock.now();
  for (const event of events) makeStorable(event);
  await receiveReceipts(context, channel, events.filter(isReceipt), now);

  const received: (Received | null)[] = [];
  for (const event of events) received.push(await receive(context, channel, event, now));
  return received;
}

async function receive(
  context: Needs,
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
    case 'templates_changed':
      context.wake.wake('templates');
      return null;
    case 'receipt':
      return null;
  }
}

const isReceipt = (event: InboundEvent): event is ReceiptEvent => event.kind === 'receipt';

/** Names are index keys, and the index limits their length. */
const longestName = 255;

/**
 * Removes characters that PostgreSQL refuses, and cuts names that are too long. One such message must not block those
 * behind it.
 */
function makeStorable(part: object): void {
  for (const [key, value] of Object.entries(part)) {
    if (typeof value === 'string') Reflect.set(part, key, storable(key, value));
    else if (isPlain(value)) makeStorable(value);
  }
}

function storable(key: string, text: string): string {
  const isName = key === 'name' || key === 'username';
  return (isName ? text.slice(0, longestName) : text).toWellFormed().replaceAll('\0', '');
}

/** Bytes and dates stay unchanged. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
