import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { readName } from '../../platform/http/name.ts';
import { withRoom } from '../../platform/limits/room-store.ts';
import { Invalid, invalid, messages, Refused } from '../../platform/problem.ts';
import { CannotOpen } from '../../platform/secrets/vault.ts';
import type { Adapter } from '../contract/adapter.ts';
import { wordsForPeople } from '../contract/failure.ts';
import { isPlatform, type Platform } from '../contract/platforms.ts';
import { adapterFor } from '../registry.ts';
import { freshClient } from './client.ts';
import { forgetTold } from './health-store.ts';
import { isAddress, isOurs, isSecret, readSettings, splitSettings } from './settings.ts';
import {
  type ChannelRow,
  deleteUnfinished,
  findChannel,
  findChannels,
  findChannelsOf,
  findChannelToChange,
  finishChannel,
  insertChannel,
  type NewChannelRow,
  renameChannel,
  saveChannel,
} from './store.ts';
import { forgetToken } from './tokens-store.ts';

export type Channel = {
  projectId: string;
  id: string;
  platform: Platform;
  name: string;
  /** In the form of the adapter's schema, with secrets decrypted. */
  settings: Record<string, unknown>;
  state: ChannelRow['state'];
  /** Whether its provider has called its address. */
  isCalled: boolean;
};

type Tools = Pick<Context, 'sql' | 'clock' | 'newId' | 'vault' | 'config' | 'outbound'>;

/** Throws when the caller would not be admitted any more. It is asked after each answer of a provider, which may be late. */
type Confirm = () => Promise<void>;

/** A command has no caller who could be removed. */
const always: Confirm = async () => {};

export type NewChannel = {
  projectId: string;
  platform: Platform;
  name: string;
  /** Numbers and booleans may be texts. */
  settings: Record<string, unknown>;
  /** What a login has brought already. */
  learnt?: Record<string, unknown>;
};

/** The address that the channel's provider calls. Source: architecture, "API_Messenger". */
export function channelAddress(
  publicUrl: string,
  { id, settings }: Pick<Channel, 'id' | 'settings'>,
): string {
  const secret = secretEndingOf(settings);
  return `${publicUrl}/channels/${id}/${secret === null ? '' : `${secret}/`}`;
}

/** The secret at the end of the channel's address. Null if the address has none. */
export const secretEndingOf = ({ address_secret }: Channel['settings']): string | null =>
  typeof address_secret === 'string' ? address_secret : null;

/**
 * Adds a channel once its provider has our address, which answers before the provider gets it. Throws `Invalid` on
 * `platform` or `name`, or nested on `settings`. The provider's own refusal is under `non_field_errors`.
 */
export async function addChannel(
  tools: Tools,
  { projectId, platform, name, settings: given, learnt: known }: NewChannel,
  confirm = always,
): Promise<Channel & { webhookUrl: string }> {
  const { sql, clock, vault, config } = tools;
  const adapter = adapterFor(platform);
  readName(name);

  const id = tools.newId();
  const read = underSettings(() => readSettings(adapter.settings, given));
  const settings = { ...known, ...(await learnt(tools, adapter, read)) };
  await confirm();
  const createdAt = clock.now();
  const row = { projectId, id, platform, name, rate: adapter.limits.perSecond, createdAt };
  const begun = { ...row, ...stored(adapter, vault, id, settings) };
  await withRoom(sql, 'channels', projectId, async (transaction) => {
    await refuseTakenAccount(transaction, vault, { projectId, id, platform, settings });
    await insertChannel(transaction, begun);
  });
  try {
    const final = await setUp(tools, adapter, { id, settings });
    await confirm();
    if (final !== settings) await saveChannel(sql, { ...row, ...stored(adapter, vault, id, final) });
    await finishChannel(sql, { projectId, id });
    const channel = {
      projectId,
      id,
      platform,
      name,
      settings: final,
      state: 'active',
      isCalled: false,
    } as const;
    return { ...channel, webhookUrl: channelAddress(config.publicUrl, channel) };
  } catch (error) {
    await deleteUnfinished(sql, createdAt, id);
    throw error;
  }
}

export type ChannelChange = {
  name?: string | undefined;
  /**
   * The changed settings. An empty text or null removes a setting, but an empty text keeps a secret. Numbers and
   * booleans may be texts.
   */
  settings?: Record<string, unknown> | undefined;
};

/**
 * Changes a channel. Its new settings are stored before its provider gets them, and removed if it refuses. Throws as
 * `addChannel` does, and `Refused` after a change by somebody else meanwhile, which stays.
 */
export async function changeChannel(
  tools: Tools,
  channel: Channel,
  { name = channel.name, settings: given }: ChannelChange,
  confirm = always,
): Promise<void> {
  const { sql } = tools;
  const { projectId, id, platform } = channel;
  if (name === '') throw invalid('name', messages.blank);
  if (!given) return renameChannel(sql, { projectId, id, name });
  const adapter = adapterFor(platform);

  const isKept = (setting: string): boolean => given[setting] === '' && isSecret(adapter.settings, setting);
  const entered = Object.entries(given).filter(([setting]) => !isKept(setting));
  const known = knownFor(adapter.settings, channel.settings, new Map(entered));
  const read = underSettings(() => readSettings(adapter.settings, Object.fromEntries(entered), known));
  refuseToCarrySecrets(adapter, channel.settings, read, new Map(entered));
  if (isDeepStrictEqual(read, channel.settings)) return renameChannel(sql, { projectId, id, name });

  const changed = { ...channel, name, settings: await learnt(tools, adapter, read) };
  await refuseTakenAccount(sql, tools.vault, changed);
  await confirm();
  if (!(await replaceChannel(tools, channel, changed))) throw new Refused(changedMeanwhile);
  try {
    const settings = await setUp(tools, adapter, changed);
    await confirm();
    if (!(await replaceChannel(tools, changed, { ...changed, settings })))
      throw new Refused(changedMeanwhile);
  } catch (error) {
    await replaceChannel(tools, changed, channel);
    throw error;
  }
  await forgetToken(sql, channel);
  await forgetTold(sql, channel);
}

/** Throws `Invalid` if another channel of the project has the account of these settings: both would take each message. */
async function refuseTakenAccount(
  sql: Sql,
  vault: Context['vault'],
  { projectId, id, platform, settings }: Pick<Channel, 'projectId' | 'id' | 'platform' | 'settings'>,
): Promise<void> {
  const { accountOf } = adapterFor(platform);
  const account = accountOf?.(settings) ?? null;
  if (accountOf === undefined || account === null) return;
  const { open } = opened(await findChannelsOf(sql, projectId, platform), vault);
  const taken = open.find((other) => other.id !== id && accountOf(other.settings) === account);
  if (!taken) return;
  const complaint = `The channel "${taken.name}" has this account. Change that one instead.`;
  throw new Invalid({ settings: { non_field_errors: [complaint] } });
}

const asStored = (settings: Channel['settings']): unknown => JSON.parse(JSON.stringify(settings));

const changedMeanwhile = 'Somebody else changed the channel meanwhile. Look at it, and try again.';

/** Stores the name and the settings of `after`. False, without effect, if the channel is not as in `before` any more. */
async function replaceChannel(
  { sql, vault }: Pick<Tools, 'sql' | 'vault'>,
  before: Channel,
  after: Channel,
): Promise<boolean> {
  const { projectId, id, platform, name, settings } = after;
  return await sql.begin(async (transaction) => {
    const row = await findChannelToChange(transaction, id);
    const now = row && openChannel(row, vault);
    if (now?.name !== before.name || !isDeepStrictEqual(now.settings, asStored(before.settings)))
      return false;
    const known = stored(adapterFor(platform), vault, id, settings);
    await saveChannel(transaction, { projectId, id, name, ...known });
    return true;
  });
}

/** Secrets that no person entered are made or learned again for a new address. */
function knownFor(
  schema: Adapter['settings'],
  before: Channel['settings'],
  given: Map<string, unknown>,
): Channel['settings'] {
  const moves = [...given].some(([name, value]) => isAddress(schema, name) && before[name] !== value);
  if (!moves) return before;
  const entries = Object.entries(before);
  return Object.fromEntries(entries.filter(([name]) => !(isSecret(schema, name) && isOurs(schema, name))));
}

/**
 * A person who changes the address that a secret is sent to must enter the secret again. Otherwise they could send it
 * to their own address, and read it there.
 */
function refuseToCarrySecrets(
  { settings: schema }: Adapter,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  given: Map<string, unknown>,
): void {
  const names = Object.keys(schema.properties);
  if (!names.some((name) => isAddress(schema, name) && before[name] !== after[name])) return;
  const carried = names.filter(
    (name) => isSecret(schema, name) && !isOurs(schema, name) && name in after && !given.has(name),
  );
  if (carried.length === 0) return;
  const complaint = 'Enter it again: it would be used with another address.';
  throw new Invalid({ settings: Object.fromEntries(carried.map((name) => [name, [complaint]])) });
}

/** Sends the provider our address again. Its answer also shows whether it still accepts the channel's credentials. */
export async function checkChannel(
  tools: Pick<Tools, 'sql' | 'config' | 'outbound'>,
  channel: Channel,
): Promise<void> {
  const adapter = adapterFor(channel.platform);
  await learnt(tools, adapter, channel.settings);
  await setUp(tools, adapter, channel);
  await forgetTold(tools.sql, channel);
}

/** The settings, with those that the provider returns. */
async function learnt(
  { outbound }: Pick<Tools, 'outbound'>,
  adapter: Adapter,
  settings: Channel['settings'],
): Promise<Channel['settings']> {
  if (!adapter.learn) return settings;
  const found = await refusedAsInvalid(adapter.learn(settings, freshClient(adapter, settings, outbound)));
  return { ...settings, ...found };
}

/** Registers the channel. Returns the same settings object when the provider returns nothing new. */
async function setUp(
  { config, outbound }: Pick<Tools, 'config' | 'outbound'>,
  adapter: Adapter,
  { id, settings }: Pick<Channel, 'id' | 'settings'>,
): Promise<Channel['settings']> {
  if (!adapter.setup) return settings;
  const address = channelAddress(config.publicUrl, { id, settings });
  const client = freshClient(adapter, settings, outbound);
  const found = await refusedAsInvalid(adapter.setup(settings, address, client));
  return Object.keys(found).length === 0 ? settings : { ...settings, ...found };
}

/** The provider's own words, for the person who adds or changes the channel. */
const refusedAsInvalid = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw new Invalid({ settings: { non_field_errors: [wordsForPeople(error)] } });
  });

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

/** Stores settings that were learned about a channel meanwhile. */
export async function keepLearnt(
  { sql, vault }: Pick<Context, 'sql' | 'vault'>,
  { projectId, id }: Pick<Channel, 'projectId' | 'id'>,
  found: Channel['settings'],
): Promise<void> {
  await sql.begin(async (transaction) => {
    const row = await findChannelToChange(transaction, id);
    if (!row) return;
    const { platform, name, settings } = openChannel(row, vault);
    const known = stored(adapterFor(platform), vault, id, { ...settings, ...found });
    await saveChannel(transaction, { projectId, id, name, ...known });
  });
}

/** Null for an unknown id. Throws as `openChannel` does. */
export async function loadChannel(
  { sql, vault }: Pick<Context, 'sql' | 'vault'>,
  channelId: string,
): Promise<Channel | null> {
  const row = await findChannel(sql, channelId);
  return row && openChannel(row, vault);
}

/** A channel that this process cannot open, and why. */
export type ClosedChannel = { id: string; error: CannotOpen | NewerPlatform };

type Opened = { open: Channel[]; closed: ClosedChannel[] };

/** The finished channels of all projects, oldest first. */
export const listChannels = async ({ sql, vault }: Pick<Context, 'sql' | 'vault'>): Promise<Opened> =>
  opened(await findChannels(sql), vault);

/** One that does not open keeps no other from its work. */
function opened(rows: readonly ChannelRow[], vault: Context['vault']): Opened {
  const open: Channel[] = [];
  const closed: ClosedChannel[] = [];
  for (const row of rows) {
    try {
      open.push(openChannel(row, vault));
    } catch (error) {
      if (!(error instanceof CannotOpen || error instanceof NewerPlatform)) throw error;
      closed.push({ id: row.id, error });
    }
  }
  return { open, closed };
}

/** A sealed value names its channel, so that one channel's secrets do not open in another. */
const sealedFor = (channelId: string): string => `channel:${channelId}`;

/** The channel was added by a newer release, which will find it unchanged. */
export class NewerPlatform extends Error {
  constructor(platform: string) {
    super(`This release knows no platform "${platform}".`);
  }
}

/**
 * Throws `CannotOpen` when the secret key is not the one that the channel was added with, and `NewerPlatform` for a
 * platform of a newer release.
 */
export function openChannel(row: ChannelRow, vault: Context['vault']): Channel {
  if (!isPlatform(row.platform)) throw new NewerPlatform(row.platform);
  const secret: Record<string, unknown> = JSON.parse(vault.open(row.sealed_settings, sealedFor(row.id)));
  return {
    projectId: row.project_id,
    id: row.id,
    platform: row.platform,
    name: row.name,
    settings: { ...row.settings, ...secret },
    state: row.state,
    isCalled: row.called_at !== null,
  };
}

function underSettings<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Invalid ? new Invalid({ settings: error.fields }) : error;
  }
}
