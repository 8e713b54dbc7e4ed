import { type Channel, keepLearnt, loadChannel } from '../../channels/connected/channels.ts';
import { clientOf } from '../../channels/connected/client.ts';
import { moveCursor } from '../../channels/connected/cursor-store.ts';
import { pauseRefusedChannel } from '../../channels/connected/store.ts';
import type { Link } from '../../channels/contract/adapter.ts';
import { CredentialsRefused } from '../../channels/contract/failure.ts';
import { outboundWithFiles } from '../attachments/own-files.ts';
import { receiveEvents } from '../chats/receive.ts';
import type { Hold } from './hold-channel.ts';
import { repeat } from './repeat.ts';

const reconnectMs = 1_000;
const lookForResumeMs = 1_000;

/**
 * Holds a channel's connection, and reconnects after a loss, until the signal. After refused credentials it waits until
 * a person resumes the channel: more attempts can lock the account. Other settings restart the work.
 */
export async function connectChannel(hold: Hold): Promise<void> {
  const { context, connections, adapter, channelId } = hold;
  const place = { cursor: hold.cursor.cursor };
  let isRefused = false;
  await repeat(hold, 'the connection of a channel was lost', async () => {
    const channel = await loadChannel(context, channelId);
    if (!channel || !adapter.connect) return null;
    if (isRefused && channel.state === 'paused') return lookForResumeMs;
    isRefused = false;
    const takenOver = new AbortController();
    try {
      await adapter.connect(channel.settings, linkOf(hold, channel, place, takenOver));
    } catch (error) {
      if (!(error instanceof CredentialsRefused)) throw error;
      context.log.error({ channel: channelId }, `the channel is paused: ${error.message}`);
      await pauseRefusedChannel(context.sql, channelId, error.message);
      isRefused = true;
      return lookForResumeMs;
    } finally {
      connections.delete(channelId);
    }
    return takenOver.signal.aborted ? null : reconnectMs;
  });
}

function linkOf(
  { context, connections, adapter, cursor: from, holder, signal }: Hold,
  channel: Channel,
  /** Carries the cursor from one connection to the next. */
  place: { cursor: string | null },
  takenOver: AbortController,
): Link {
  return {
    client: clientOf(context, adapter, channel, outboundWithFiles(context, channel.projectId)),
    signal: AbortSignal.any([signal, takenOver.signal]),
    cursor: place.cursor,
    store: async (events, cursor) => {
      await receiveEvents(context, channel, events);
      if (cursor === undefined || cursor === place.cursor) return;
      if (!(await moveCursor(context.sql, holder, { ...from, cursor }))) return takenOver.abort();
      place.cursor = cursor;
    },
    keep: (learnt) => keepLearnt(context, channel, learnt),
    ready: (send) => {
      if (send) connections.set(channel.id, send);
      context.wake.wake('sending');
    },
  };
}
