import { loadChannel } from '../../channels/connected/channels.ts';
import { clientOf } from '../../channels/connected/client.ts';
import { type Cursor, moveCursor } from '../../channels/connected/cursor-store.ts';
import { receiveEvents } from '../chats/receive.ts';
import type { Hold } from './hold-channel.ts';
import { repeat } from './repeat.ts';

/** A provider that does not wait until there is something new must not be asked without end. */
const leastRoundMs = 1_000;

/** Asks a channel's provider for what is new, until the signal, or until another process has taken over. */
export async function pollChannel(hold: Hold): Promise<void> {
  let { cursor } = hold;
  await repeat(hold, 'a channel could not be polled', async () => {
    const begun = performance.now();
    const next = await round(hold, cursor);
    if (!next) return null;
    const isNews = next.cursor !== cursor.cursor;
    cursor = next;
    return isNews ? 0 : begun + leastRoundMs - performance.now();
  });
}

/** One poll. The cursor moves when its events are stored, and not before. Null when there is no more to do here. */
async function round({ context, adapter, holder, signal }: Hold, from: Cursor): Promise<Cursor | null> {
  const channel = await loadChannel(context, from.channel_id);
  if (!channel || !adapter.poll || !adapter.polls?.(channel.settings)) return null;
  const client = clientOf(context, adapter, channel, context.outbound);
  const polled = await adapter.poll(from.cursor, channel.settings, client, signal);
  await receiveEvents(context, channel, polled.events);
  const next = { ...from, cursor: polled.cursor };
  if (next.cursor === from.cursor) return next;
  return (await moveCursor(context.sql, holder, next)) ? next : null;
}
