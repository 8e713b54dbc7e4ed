import { setTimeout as pause } from 'node:timers/promises';
import { type Channel, loadChannel } from '../../channels/connected/channels.ts';
import { clientOf } from '../../channels/connected/client.ts';
import { type Cursor, moveCursor } from '../../channels/connected/cursor-store.ts';
import { adapterFor } from '../../channels/registry.ts';
import type { Context } from '../../platform/context.ts';
import { exponentialDelay } from '../../platform/pump/backoff.ts';
import { receiveEvents } from '../chats/receive.ts';

/** A provider that does not wait until there is something new must not be asked without end. */
const leastRoundMs = 1_000;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/**
 * Asks a channel's provider for what is new, again and again, until the signal, or until another process has taken
 * over. Never rejects: after a failure it waits, longer each time, and goes on.
 */
export async function pollChannel(
  context: Context,
  holder: string,
  from: Cursor,
  signal: AbortSignal,
): Promise<void> {
  let cursor: Cursor | null = from;
  let failures = 0;
  while (cursor && !signal.aborted) {
    const begun = performance.now();
    try {
      const next = await round(context, holder, cursor, signal);
      const isNews: boolean = next?.cursor !== cursor.cursor;
      cursor = next;
      failures = 0;
      if (!isNews) await rest(begun + leastRoundMs - performance.now(), signal);
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      context.log.warn({ err: error, channel: from.channel_id, failures }, 'a channel could not be polled');
      await rest(exponentialDelay(failures, firstPauseMs, longestPauseMs, Math.random), signal);
    }
  }
}

/** One poll. The cursor moves when its events are stored, and not before. Null when there is no more to do here. */
async function round(
  context: Context,
  holder: string,
  { project_id, channel_id, cursor }: Cursor,
  signal: AbortSignal,
): Promise<Cursor | null> {
  const channel = await loadChannel(context, channel_id);
  if (!channel || !isPolled(channel)) return null;
  const polled = await adapterFor(channel.platform)?.poll?.(
    cursor,
    channel.settings,
    clientOf(context, channel, context.outbound),
    signal,
  );
  if (!polled) return null;
  await receiveEvents(context, channel, polled.events);
  const next = { project_id, channel_id, cursor: polled.cursor };
  if (next.cursor === cursor) return next;
  return (await moveCursor(context.sql, holder, next)) ? next : null;
}

/** Whether its settings say that we ask the provider, rather than be called by it. Paused or not: it still hears. */
export const isPolled = ({ platform, settings }: Channel): boolean =>
  adapterFor(platform)?.polls?.(settings) ?? false;

const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(Math.max(0, ms), undefined, { signal }).catch(() => undefined);
