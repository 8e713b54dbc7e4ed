import { loadChannel } from '../../channels/connected/channels.ts';
import { clientOf } from '../../channels/connected/client.ts';
import type { Names } from '../../channels/contract/inbound.ts';
import { adapterFor } from '../../channels/registry.ts';
import type { Context } from '../../platform/context.ts';
import { outboundUntil } from '../../platform/outbound/outbound.ts';
import { exponentialDelay } from '../../platform/pump/backoff.ts';
import { nameChat } from '../chats/name-chat.ts';
import { leaseNameless, type NamelessChat, postponeName } from '../chats/names-store.ts';
import { type Handling, startHandling } from './handling.ts';

const askMs = 20_000;
/** Longer than a question. */
const leaseMs = 60_000;
const firstPauseMs = 10_000;
const longestPauseMs = 3_600_000;
/** Some hours. */
const mostTries = 8;

/** Asks providers for the names of clients whose messages do not tell them, once for each chat. */
export const startNaming = (context: Context): Handling =>
  startHandling(context, { topic: 'names', leaseMs, lease: leaseNameless, handle: bringNames });

/** A failure loses no message, and delays none. */
export async function bringNames(context: Context, chat: NamelessChat): Promise<void> {
  const { sql, clock, log } = context;
  try {
    const { names, channel } = await ask(context, chat);
    await nameChat(context, chat, names, channel);
  } catch (error) {
    const delay = exponentialDelay(chat.name_tries, firstPauseMs, longestPauseMs, Math.random);
    const isLast = chat.name_tries >= mostTries;
    log.warn({ err: error, channel: chat.channel_id, isLast }, 'a client’s name is not known yet');
    await postponeName(sql, chat, isLast ? null : new Date(clock.now().getTime() + delay));
  }
}

async function ask(
  context: Context,
  { channel_id, external_id }: NamelessChat,
): Promise<{ names: Names; channel: string }> {
  const channel = await loadChannel(context, channel_id);
  if (!channel) throw new Error('The channel is gone.');
  const adapter = adapterFor(channel.platform);
  if (!adapter.namesOf) return { names: {}, channel: channel.name };
  const outbound = outboundUntil(context.outbound, AbortSignal.timeout(askMs));
  const client = clientOf(context, adapter, channel, outbound);
  const names = await adapter.namesOf(external_id, channel.settings, client);
  return { names, channel: channel.name };
}
