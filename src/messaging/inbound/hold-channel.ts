import type { Channel } from '../../channels/connected/channels.ts';
import type { Connections } from '../../channels/connected/connections.ts';
import type { Cursor } from '../../channels/connected/cursor-store.ts';
import { givenNames } from '../../channels/connected/settings.ts';
import type { Adapter } from '../../channels/contract/adapter.ts';
import { adapterFor } from '../../channels/registry.ts';
import type { Context } from '../../platform/context.ts';
import { askForReceipts } from './ask-for-receipts.ts';
import { connectChannel } from './connect-channel.ts';
import { pollChannel } from './poll-channel.ts';
import { syncTemplates } from './sync-templates.ts';

/** What a process needs for the work on a channel that it holds. */
export type Hold = {
  context: Context;
  connections: Connections;
  adapter: Adapter;
  /** The channel as it was, and where it was, when the work began. */
  channelId: string;
  cursor: Cursor;
  /** Names this process. */
  holder: string;
  signal: AbortSignal;
};

type Work = (hold: Hold) => Promise<void>;

/** The work that one process does for a channel. Paused or not: it still hears. */
function worksOf({ platform, settings }: Channel): Work[] {
  const adapter = adapterFor(platform);
  if (!adapter) return [];
  return [
    ...(adapter.polls?.(settings) ? [pollChannel] : []),
    ...(adapter.connect ? [connectChannel] : []),
    ...(adapter.pollReceipts ? [askForReceipts] : []),
    ...(adapter.listTemplates ? [syncTemplates] : []),
  ];
}

/** Whether a channel needs one process that holds it. */
export const needsHolder = (channel: Channel): boolean => worksOf(channel).length > 0;

/** Other settings than these make the work begin anew. What the work itself has learnt does not. */
export function settingsOfWork({ platform, settings }: Channel): string {
  const adapter = adapterFor(platform);
  const names = adapter ? givenNames(adapter.settings) : [];
  return JSON.stringify(names.map((name) => settings[name] ?? null));
}

/** Does all of a channel's work until the signal. Never rejects. */
export async function holdChannel(
  channel: Channel,
  hold: Omit<Hold, 'adapter' | 'channelId'>,
): Promise<void> {
  const adapter = adapterFor(channel.platform);
  if (!adapter) return;
  await Promise.all(worksOf(channel).map((work) => work({ ...hold, adapter, channelId: channel.id })));
}
