import type { Channel } from '../../channels/connected/channels.ts';
import type { Connections } from '../../channels/connected/connections.ts';
import type { Cursor } from '../../channels/connected/cursor-store.ts';
import { givenNames } from '../../channels/connected/settings.ts';
import type { Adapter } from '../../channels/contract/adapter.ts';
import { adapterFor } from '../../channels/registry.ts';
import type { Context } from '../../platform/context.ts';
import { outboundUntil } from '../../platform/outbound/outbound.ts';
import { askForReceipts } from './ask-for-receipts.ts';
import { connectChannel } from './connect-channel.ts';
import { pollChannel } from './poll-channel.ts';
import { syncTemplates } from './sync-templates.ts';

/** The data that a process needs for the work on a channel that it holds. */
export type Hold = {
  context: Context;
  connections: Connections;
  adapter: Adapter;
  /** The channel and its cursor at the start of the work. */
  channelId: string;
  cursor: Cursor;
  /** Identifies this process. */
  holder: string;
  signal: AbortSignal;
};

type Work = (hold: Hold) => Promise<void>;

/** The work that one process does for a channel. A paused channel still receives. */
function worksOf({ platform, settings }: Channel): Work[] {
  const adapter = adapterFor(platform);
  return [
    ...(adapter.polls?.(settings) ? [pollChannel] : []),
    ...(adapter.connect ? [connectChannel] : []),
    ...(adapter.pollReceipts ? [askForReceipts] : []),
    ...(adapter.listTemplates ? [syncTemplates] : []),
  ];
}

/** Whether one process must hold the channel. */
export const needsHolder = (channel: Channel): boolean => worksOf(channel).length > 0;

/** The settings whose change restarts the work. Changes that the work itself makes do not count. */
export function settingsOfWork({ platform, settings }: Channel): string {
  const names = givenNames(adapterFor(platform).settings);
  return JSON.stringify(names.map((name) => settings[name] ?? null));
}

/** Does all of a channel's work until the signal, which ends its calls, too. Never rejects. */
export async function holdChannel(
  channel: Channel,
  hold: Omit<Hold, 'adapter' | 'channelId'>,
): Promise<void> {
  const adapter = adapterFor(channel.platform);
  const outbound = outboundUntil(hold.context.outbound, hold.signal);
  const ours = { ...hold, context: { ...hold.context, outbound }, adapter, channelId: channel.id };
  await Promise.all(worksOf(channel).map((work) => work(ours)));
}
