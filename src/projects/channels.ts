import type { Platform } from '../channels/platforms.ts';
import { adapterFor } from '../channels/registry.ts';
import type { Context } from '../context.ts';
import { Invalid, invalid, messages } from '../lib/problem.ts';
import { type ChannelRow, findChannel, findChannels, insertChannel } from './channel-store.ts';
import { readSettings, splitSettings } from './settings.ts';

export type Channel = {
  projectId: string;
  id: string;
  platform: Platform;
  name: string;
  /** As its adapter's schema has them, secrets opened. */
  settings: Record<string, unknown>;
  state: 'active' | 'paused';
};

type Tools = Pick<Context, 'sql' | 'clock' | 'newId' | 'vault' | 'config' | 'outbound'>;

export type NewChannel = {
  projectId: string;
  platform: Platform;
  name: string;
  /** Texts will do for numbers and booleans. */
  settings: Record<string, unknown>;
};

/** Where the channel's provider reaches us. Source: architecture, "API_Messenger". */
export const channelAddress = (publicUrl: string, id: string): string => `${publicUrl}/channels/${id}/`;

/**
 * Adds a channel once its provider knows our address. Throws `Invalid` on `platform`, `name`, or nested on
 * `settings`, where the provider's own refusal comes under `non_field_errors`.
 */
export async function addChannel(
  { sql, clock, newId, vault, config, outbound }: Tools,
  channel: NewChannel,
): Promise<Channel & { webhookUrl: string }> {
  const { projectId, platform, name } = channel;
  const adapter = adapterFor(platform);
  if (!adapter) throw invalid('platform', messages.choice(platform));
  if (name === '') throw invalid('name', messages.blank);

  const settings = underSettings(() => readSettings(adapter.settings, channel.settings));
  const id = newId();
  const webhookUrl = channelAddress(config.publicUrl, id);
  await adapter.setup?.(settings, webhookUrl, outbound).catch((error: Error) => {
    throw new Invalid({ settings: { non_field_errors: [error.message] } });
  });

  const { open, secret } = splitSettings(adapter.settings, settings);
  await insertChannel(sql, {
    projectId,
    id,
    platform,
    name,
    settings: JSON.stringify(open),
    sealedSettings: vault.seal(JSON.stringify(secret), sealedFor(id)),
    rate: adapter.limits.perSecond,
    createdAt: clock.now(),
  });
  return { projectId, id, platform, name, settings, state: 'active', webhookUrl };
}

/** Null for an unknown id. Throws `CannotOpen` when the secret key is not the one that the channel was added with. */
export async function loadChannel(
  { sql, vault }: Pick<Context, 'sql' | 'vault'>,
  channelId: string,
): Promise<Channel | null> {
  const row = await findChannel(sql, channelId);
  return row && toChannel(row, vault);
}

/** The channels of a project, or of all projects, oldest first. */
export async function listChannels(
  { sql, vault }: Pick<Context, 'sql' | 'vault'>,
  projectId: string | null = null,
): Promise<Channel[]> {
  const rows = await findChannels(sql, projectId);
  return rows.map((row) => toChannel(row, vault));
}

/** A sealed value names its channel, so that one channel's secrets do not open in another. */
const sealedFor = (channelId: string): string => `channel:${channelId}`;

function toChannel(row: ChannelRow, vault: Context['vault']): Channel {
  const secret: Record<string, unknown> = JSON.parse(vault.open(row.sealed_settings, sealedFor(row.id)));
  return {
    projectId: row.project_id,
    id: row.id,
    platform: row.platform,
    name: row.name,
    settings: { ...row.settings, ...secret },
    state: row.state,
  };
}

function underSettings<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Invalid ? new Invalid({ settings: error.fields }) : error;
  }
}
