import { findChannelsById } from '../../channels/connected/store.ts';
import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/database/database.ts';
import { batched } from '../../platform/pump/batch.ts';
import { ownTurn, type Turns } from '../../platform/pump/turns.ts';
import { type ExternalId, findSeen } from './external-ids-store.ts';
import { findLabels, findPressed, findUnanswered, type Press, type Unlabelled } from './reactions-store.ts';
import { type ReceiptEvent, type ReceivingChannel, receiveReceipts } from './receipts.ts';
import { type Incoming, type Said, sessionsOnMessage, storeIncoming } from './receive-store.ts';
import { type ChatAddress, type ChatRow, findChatsAt } from './store.ts';

/** The most messages that one statement receives. */
const together = 200;

/** The statements for clients' messages and for receipts. Concurrent calls share them. */
export type Receiving = ReturnType<typeof startReceiving>;

type Needs = Pick<Context, 'sql' | 'newId' | 'wake' | 'traces'>;

export function startReceiving(context: Needs, turns: Turns = ownTurn) {
  const { sql } = context;
  const limits = { max: together, turns, failsAll: isDatabaseUnavailable };
  return {
    channel: batched((ids: string[]) => findChannelsById(sql, ids), limits),
    seen: batched((ids: ExternalId[]) => findSeen(sql, ids), limits),
    chatAt: batched((addresses: ChatAddress[]) => findChatsAt(sql, addresses), limits),
    session: batched((said: Said[]) => sessionsOnMessage(sql, said), limits),
    unanswered: batched((chats: { chat: ChatRow; since: Date }[]) => findUnanswered(sql, chats), limits),
    pressed: batched((presses: Press[]) => findPressed(sql, presses), limits),
    label: batched((presses: Unlabelled[]) => findLabels(sql, presses), limits),
    store: batched((messages: Incoming[]) => storeAndWake(context, messages), {
      ...limits,
      keyOf: ({ chat }) => chat.id,
      retriesAlone: true,
    }),
    receipts: batched((receipts: ChannelReceipts[]) => receiveTogether(context, receipts), {
      ...limits,
      retriesAlone: true,
    }),
  };
}

async function storeAndWake({ sql, wake }: Needs, messages: readonly Incoming[]): Promise<boolean[]> {
  const stored = await storeIncoming(sql, messages, latestOf(messages));
  if (!stored.includes(true)) return stored;
  if (messages.some(({ heard }) => heard)) wake.wake('running');
  wake.wake('webhooks');
  wake.wake('live');
  return stored;
}

type ChannelReceipts = { channel: ReceivingChannel; receipts: readonly ReceiptEvent[]; now: Date };

async function receiveTogether(context: Needs, all: readonly ChannelReceipts[]): Promise<undefined[]> {
  const byChannel = Map.groupBy(all, ({ channel }) => channel.id);
  await Promise.all(
    [...byChannel.values()].map(async (group) => {
      const [first] = group;
      const receipts = group.flatMap((one) => one.receipts);
      if (first) await receiveReceipts(context, first.channel, receipts, latestOf(group));
    }),
  );
  return all.map(() => undefined);
}

const latestOf = (group: readonly { now: Date }[]): Date =>
  new Date(Math.max(...group.map(({ now }) => now.getTime())));
