import { type Channel, openChannel } from '../../channels/connected/channels.ts';
import type { Connections } from '../../channels/connected/connections.ts';
import { findChannelsById } from '../../channels/connected/store.ts';
import type { Adapter } from '../../channels/contract/adapter.ts';
import { adapterFor } from '../../channels/registry.ts';
import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/database/database.ts';
import { batched } from '../../platform/pump/batch.ts';
import type { Bounds } from '../../platform/pump/concurrency.ts';
import { type Pump, startPump } from '../../platform/pump/pump.ts';
import { type Cell, createCell, dueLane, laneName } from '../../platform/pump/suspects.ts';
import { findLastingIds } from '../chats/lasting-ids-store.ts';
import { unsubscribeAddresses } from '../chats/unsubscribe-token.ts';
import { findAnswered } from './answered-store.ts';
import { chatPacing } from './chat-pauses.ts';
import { type ClaimedMessage, claimMessages } from './claim.ts';
import { type Asked, giveBack } from './claim-store.ts';
import { mailingWriter, type Rendering } from './mailing-messages.ts';
import { perform } from './perform.ts';
import { record } from './record.ts';
import { isPausedBy, isSlowedBy } from './rules.ts';
import { dueChannels, renewLeases } from './store.ts';
import { type Done, isRendered, type Task } from './task.ts';

/** Renewed during longer calls. When it lapses, another worker takes over a dead worker's messages. */
const leaseMs = 5_000;
/** For one channel. More if its provider is slow, up to the adapter's limit. */
const leastConcurrency = 64;
/** For all channels together: each call has a socket, and holds its message and its answer. */
const mostAtOnce = 2_048;
/** The channels whose messages one statement claims. A statement costs more than the few messages of one channel. */
const claimedAtOnce = 32;
const claimsAtOnce = 2;

/** Shared by the parts of one process. */
type Shared = { cell?: Cell; connections?: Connections };

/** Sends queued messages through their channels. */
export function startSending(
  context: Context,
  { cell = createCell(), connections = new Map() }: Shared = {},
): Pump {
  const { sql, clock, log } = context;
  const concurrency = new Map<string, number>();
  const heldElsewhere = new Set<string>();
  const writeOut = mailingWriter(context);
  const pausesOf = chatPacing(context);
  const unsubscribeUrlFor = unsubscribeAddresses(context.config);

  const channelOf = batched((ids: string[]) => findChannelsById(sql, ids), { max: claimedAtOnce });
  const claimOf = batched(
    async (asked: Asked[]) => {
      const ofChannels = Map.groupBy(await claimNow(asked, false), ({ channel_id }) => channel_id);
      return asked.map(({ channelId }) => ofChannels.get(channelId) ?? []);
    },
    { max: claimedAtOnce, concurrency: claimsAtOnce },
  );

  function claimNow(asked: Asked[], areSuspects: boolean): Promise<ClaimedMessage[]> {
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + leaseMs);
    return claimMessages(sql, asked, { areSuspects, lease: context.newId(), now, leaseUntil });
  }

  async function claim(lane: string, free: number): Promise<Task[]> {
    const { key: channelId, areSuspects } = laneName(lane);
    // The channel is read before the claim: a failure afterwards would leave a claim without a worker.
    const row = await channelOf(channelId);
    if (!row) throw new Error('The channel is gone.');
    const channel = openChannel(row, context.vault);
    const adapter = adapterFor(channel.platform);
    concurrency.set(channelId, adapter.limits.concurrency);
    if (!adapter.send && !connections.has(channelId)) {
      heldElsewhere.add(channelId);
      return [];
    }
    const asked = { channelId, free };
    const messages = await (areSuspects ? claimNow([asked], true) : claimOf(asked));
    return await prepare(messages, channel, adapter).catch(async (error: unknown) => {
      await giveBack(sql, messages);
      throw error;
    });
  }

  async function prepare(messages: ClaimedMessage[], channel: Channel, adapter: Adapter): Promise<Task[]> {
    const [renderings, pauses, answered, lasting] = await Promise.all([
      writeOut(messages),
      pausesOf(adapter.limits.chatPauseMs, messages),
      adapter.answers ? findAnswered(sql, messages) : null,
      adapter.lastingIds ? findLastingIds(sql, messages) : null,
    ]);
    return messages.map((message) => {
      const rendering = renderings.get(message.id);
      const answers = answered?.get(message.chat_id);
      const lastingIds = lasting?.get(message.chat_id);
      const pauseMs = pauses.get(message.id) ?? 0;
      const leaving = message.mailing_id !== null && {
        unsubscribeUrl: () => unsubscribeUrlFor(leavingOf(message)),
      };
      return {
        message: written(message, rendering),
        channel,
        rendering,
        answers,
        lastingIds,
        pauseMs,
        ...leaving,
      };
    });
  }

  return startPump<Task, Done>({
    name: 'sending',
    clock,
    log,
    due: async () => {
      const due = await dueChannels(sql, clock.now());
      return due.filter(({ key }) => !heldElsewhere.has(key) || connections.has(key)).map(dueLane);
    },
    claim,
    perform: (task, deadline) => perform(context, connections, task, deadline),
    record: (done) => record(context, done),
    places: (channelId) => placesOf(concurrency.get(channelId) ?? leastConcurrency),
    mostAtOnce,
    ahead: {
      giveBack: (tasks) => giveBack(sql, messagesOf(tasks)),
      outdates: ({ outcome, slows }) => isPausedBy(outcome) || (isSlowedBy(outcome) && slows === 'channel'),
    },
    cell,
    leaseMs,
    renew: (tasks, until) => renewLeases(sql, messagesOf(tasks), until),
    isUnavailable: isDatabaseUnavailable,
  });
}

const messagesOf = (tasks: readonly Task[]): ClaimedMessage[] => tasks.map(({ message }) => message);

const placesOf = (most: number): Bounds => ({ least: Math.min(leastConcurrency, most), most });

const leavingOf = ({ project_id: projectId, chat_id: chatId, topic_id: topicId }: ClaimedMessage) => ({
  projectId,
  chatId,
  topicId,
});

/** The message with its rendered content. */
const written = (message: ClaimedMessage, rendering: Rendering | undefined): ClaimedMessage =>
  isRendered(rendering)
    ? { ...message, content_type: rendering.rendered.type, content: rendering.rendered }
    : message;
