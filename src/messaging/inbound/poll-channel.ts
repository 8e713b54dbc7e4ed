import { loadChannel } from '../../channels/connected/channels.ts';
import { clientOf } from '../../channels/connected/client.ts';
import { type Cursor, moveCursor } from '../../channels/connected/cursor-store.ts';
import { receiveEvents } from '../chats/receive.ts';
import type { Hold } from './hold-channel.ts';
import { repeat } from './repeat.ts';

/** A provider that answers at once without news must not be asked in a tight loop. */
const leastRoundMs = 1_000;

/** Polls a channel's provider until the signal, or until another process has taken over. */
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

/** One poll. The cursor moves only after its events are stored. Null when there is no more work here. */
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
