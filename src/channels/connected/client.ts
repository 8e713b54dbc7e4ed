import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../platform/context.ts';
import { type Outbound, OutboundFailed, outboundFor } from '../../platform/outbound/outbound.ts';
import type { AccessToken, Adapter, ChannelSettings, Client } from '../contract/adapter.ts';
import type { Channel } from './channels.ts';
import { claimFetch, findToken, giveUpFetch, saveToken } from './tokens-store.ts';

type Tools = Pick<Context, 'sql' | 'clock' | 'vault'>;

/** A token is renewed when this part of its life is left. */
const renewedBefore = 0.2;
/** A provider may name a moment that no database knows. */
const longestLifeMs = 60 * 24 * 3_600_000;
const fetchMs = 15_000;
const lookMs = 100;

/**
 * The client for a channel's provider, over `outbound`. All processes share one access token.
 * @param until what the client reads stays in memory until then
 */
export const clientOf = (
  tools: Tools,
  adapter: Adapter,
  channel: Channel,
  outbound: Outbound,
  until?: Promise<void>,
): Client => ({
  ...outboundFor(outbound, { owner: channel.projectId, ...(until && { until }) }),
  token: (refused) => sharedToken(tools, { adapter, channel, outbound }, refused),
});

type Provider = { adapter: Adapter; channel: Channel; outbound: Outbound };

/** The client for a channel that does not exist yet, or gets other settings. Its token is not stored. */
export function freshClient(adapter: Adapter, settings: ChannelSettings, outbound: Outbound): Client {
  let token: Promise<AccessToken> | null = null;
  return {
    ...outbound,
    token: async () => {
      token ??= fetchToken({ adapter, settings, outbound });
      return (await token).value;
    },
  };
}

async function sharedToken(tools: Tools, provider: Provider, refused?: string): Promise<string> {
  const { sql, clock, vault } = tools;
  const { channel } = provider;
  const purpose = `token:${channel.id}`;
  const giveUpAt = performance.now() + fetchMs;
  while (performance.now() < giveUpAt) {
    const now = clock.now();
    const row = await findToken(sql, channel);
    const value = row && vault.open(row.sealed_token, purpose);
    const isGood = row !== null && value !== refused && row.ends_at > now;
    if (isGood && row.renew_at > now) return value ?? '';
    const until = new Date(now.getTime() + fetchMs);
    if (await claimFetch(sql, channel, row?.sealed_token ?? null, { now, until })) {
      return fetchShared(tools, provider, purpose, value ?? undefined);
    }
    if (isGood) return value ?? '';
    await pause(lookMs);
  }
  throw new OutboundFailed('timeout', false);
}

async function fetchShared(
  { sql, clock, vault }: Tools,
  { adapter, channel, outbound }: Provider,
  purpose: string,
  known: string | undefined,
): Promise<string> {
  try {
    const token = await fetchToken({ adapter, settings: channel.settings, outbound, known });
    const livesMs = Math.min(token.livesMs, longestLifeMs);
    const now = clock.now().getTime();
    await saveToken(sql, channel, {
      sealed_token: vault.seal(token.value, purpose),
      renew_at: new Date(now + livesMs * (1 - renewedBefore)),
      ends_at: new Date(now + livesMs),
    });
    return token.value;
  } catch (error) {
    await giveUpFetch(sql, channel);
    throw error;
  }
}

/** A token request has sent no message, even if the provider received it. */
async function fetchToken({
  adapter,
  settings,
  outbound,
  known,
}: {
  adapter: Adapter;
  settings: ChannelSettings;
  outbound: Outbound;
  known?: string | undefined;
}): Promise<AccessToken> {
  if (!adapter.token) throw new Error('This messenger has no access tokens.');
  try {
    return await adapter.token(settings, outbound, known);
  } catch (error) {
    throw error instanceof OutboundFailed ? new OutboundFailed(error.kind, false, error.cause) : error;
  }
}
