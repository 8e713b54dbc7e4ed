import { loadChannel } from '../../channels/connected/channels.ts';
import { clientOf } from '../../channels/connected/client.ts';
import type { AwaitedChat } from '../../channels/contract/adapter.ts';
import { receiveEvents } from '../chats/receive.ts';
import { awaitedInTurn } from './awaited.ts';
import type { AwaitedRow } from './awaited-store.ts';
import type { Hold } from './hold-channel.ts';
import { repeat } from './repeat.ts';

/** A READ is known within a minute. */
const everyMs = 20_000;
const awaitedForMs = 7 * 24 * 3_600_000;

/** Asks periodically for the receipts of messages that await one, until the signal. */
export async function askForReceipts(hold: Hold): Promise<void> {
  const { context, adapter, channelId } = hold;
  const { sql, clock, outbound } = context;
  let turn: string | null = null;
  await repeat(hold, 'receipts could not be asked for', async () => {
    const channel = await loadChannel(context, channelId);
    if (!channel || !adapter.pollReceipts) return null;
    const since = new Date(clock.now().getTime() - awaitedForMs);
    const round = await awaitedInTurn(sql, channel, { since, turn });
    turn = round.turn;
    if (round.rows.length > 0) {
      const client = clientOf(context, adapter, channel, outbound);
      const events = await adapter.pollReceipts(
        inAnyOrder(awaitedChats(round.rows)),
        channel.settings,
        client,
      );
      await receiveEvents(context, channel, events);
    }
    return everyMs;
  });
}

const awaitedChats = (rows: readonly AwaitedRow[]): AwaitedChat[] =>
  [...Map.groupBy(rows, ({ chat }) => chat)].map(([externalId, messages]) => ({
    externalId,
    messages: messages.map(({ id, provider_id, sent_at }) => ({
      uuid: id,
      providerId: provider_id,
      sentAt: sent_at,
    })),
  }));

/** A round may end early, at a rate limit for example. In the next one another chat is the first. */
const inAnyOrder = (chats: readonly AwaitedChat[]): AwaitedChat[] =>
  chats
    .map((chat) => ({ chat, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ chat }) => chat);
