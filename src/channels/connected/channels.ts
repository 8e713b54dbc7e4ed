import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../platform/context.ts';
import { Invalid, invalid, messages } from '../../platform/problem.ts';
import type { Adapter } from '../contract/adapter.ts';
import type { Platform } from '../contract/platforms.ts';
import { adapterFor } from '../registry.ts';
import { isAddress, isSecret, readSettings, splitSettings } from './settings.ts';
import {
  type ChannelRow,
  findChannel,
  findChannels,
  insertChannel,
  type NewChannelRow,
  renameChannel,
  saveChannel,
} from './store.ts';

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
  await register(adapter, settings, webhookUrl, outbound);
  await insertChannel(sql, {
    projectId,
    id,
    platform,
    name,
    ...stored(adapter, vault, id, settings),
    rate: adapter.limits.perSecond,
    createdAt: clock.now(),
  });
  return { projectId, id, platform, name, settings, state: 'active', webhookUrl };
}

export type ChannelChange = {
  name?: string | undefined;
  /**
   * Those that change. An empty text or null takes one away, but an empty text keeps a secret. Texts will do for
   * numbers and booleans.
   */
  settings?: Record<string, unknown> | undefined;
};

/** Changes a channel, once its provider knows the new settings. Throws as `addChannel` does. */
export async function changeChannel(
  { sql, vault, config, outbound }: Tools,
  channel: Channel,
  { name = channel.name, settings: given }: ChannelChange,
): Promise<void> {
  const { projectId, id, platform } = channel;
  if (name === '') throw invalid('name', messages.blank);
  if (!given) return renameChannel(sql, { projectId, id, name });
  const adapter = adapterFor(platform);
  if (!adapter) throw invalid('platform', messages.choice(platform));

  const isKept = (setting: string): boolean => given[setting] === '' && isSecret(adapter.settings, setting);
  const changed = Object.entries(given).filter(([setting]) => !isKept(setting));
  const all = Object.entries({ ...channel.settings, ...Object.fromEntries(changed) });
  const wanted = Object.fromEntries(all.filter(([, value]) => value !== '' && value !== null));
  const settings = underSettings(() => readSettings(adapter.settings, wanted));
  refuseToCarrySecrets(adapter, channel.settings, settings, new Map(changed));
  if (!isDeepStrictEqual(settings, channel.settings)) {
    await register(adapter, settings, channelAddress(config.publicUrl, id), outbound);
  }
  await saveChannel(sql, { projectId, id, name, ...stored(adapter, vault, id, settings) });
}

/** Whoever changes where a secret goes must know it: else it could be sent to an address of their own, and read there. */
function refuseToCarrySecrets(
  { settings: schema }: Adapter,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  given: Map<string, unknown>,
): void {
  const names = Object.keys(schema.properties);
  if (!names.some((name) => isAddress(schema, name) && before[name] !== after[name])) return;
  const carried = names.filter((name) => isSecret(schema, name) && name in after && !given.has(name));
  if (carried.length === 0) return;
  const complaint = 'Enter it again: it would be used with another address.';
  throw new Invalid({ settings: Object.fromEntries(carried.map((name) => [name, [complaint]])) });
}

/** Tells the provider our address once more, by which it also says whether it still takes the channel's credentials. */
export async function checkChannel(
  { config, outbound }: Pick<Tools, 'config' | 'outbound'>,
  { id, platform, settings }: Channel,
): Promise<void> {
  const adapter = adapterFor(platform);
  if (adapter) await register(adapter, settings, channelAddress(config.publicUrl, id), outbound);
}

async function register(
  adapter: Adapter,
  settings: Record<string, unknown>,
  webhookUrl: string,
  outbound: Context['outbound'],
): Promise<void> {
  await adapter.setup?.(settings, webhookUrl, outbound).catch((error: Error) => {
    throw new Invalid({ settings: { non_field_errors: [error.message] } });
  });
}

function stored(
  adapter: Adapter,
  vault: Context['vault'],
  id: string,
  settings: Record<string, unknown>,
): Pick<NewChannelRow, 'settings' | 'sealedSettings'> {
  const { open, secret } = splitSettings(adapter.settings, settings);
  return {
    settings: JSON.stringify(open),
    sealedSettings: vault.seal(JSON.stringify(secret), sealedFor(id)),
  };
}

/** Null for an unknown id. Throws `CannotOpen` as `openChannel` does. */
export async function loadChannel(
  { sql, vault }: Pick<Context, 'sql' | 'vault'>,
  channelId: string,
): Promise<Channel | null> {
  const row = await findChannel(sql, channelId);
  return row && openChannel(row, vault);
}

/** The channels of a project, or of all projects, oldest first. */
export async function listChannels(
  { sql, vault }: Pick<Context, 'sql' | 'vault'>,
  projectId: string | null = null,
): Promise<Channel[]> {
  const rows = await findChannels(sql, projectId);
  return rows.map((row) => openChannel(row, vault));
}

/** A sealed value names its channel, so that one channel's secrets do not open in another. */
const sealedFor = (channelId: string): string => `channel:${channelId}`;

/** Throws `CannotOpen` when the secret key is not the one that the channel was added with. */
export function openChannel(row: ChannelRow, vault: Context['vault']): Channel {
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
