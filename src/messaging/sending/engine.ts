import { type Channel, openChannel } from '../../channels/connected/channels.ts';
import type { Connections } from '../../channels/connected/connections.ts';
import { findChannelsById, pauseRefusedChannel } from '../../channels/connected/store.ts';
import type { Adapter, Answered, OutgoingMessage, SendResult } from '../../channels/contract/adapter.ts';
import { adapterFor } from '../../channels/registry.ts';
import { outboxRow } from '../../events/outbox.ts';
import type { Event } from '../../events/types.ts';
import { quietUntilFor } from '../../mailings/quiet-hours.ts';
import type { Rendered } from '../../mailings/render.ts';
import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/database/database.ts';
import { batched } from '../../platform/pump/batch.ts';
import type { Bounds } from '../../platform/pump/concurrency.ts';
import { type Pump, startPump } from '../../platform/pump/pump.ts';
import { type Cell, createCell, dueLane, laneName } from '../../platform/pump/suspects.ts';
import { within } from '../../platform/work.ts';
import { mailingStates } from '../chats/mailing-events.ts';
import { type MessageSubject, presentMessageUpdated } from '../chats/present.ts';
import { receiveEarlyReceipts } from '../chats/receipts.ts';
import { stopChats } from '../chats/stop-store.ts';
import { streamStatus } from '../chats/stream-events.ts';
import { unsubscribeAddresses } from '../chats/unsubscribe-token.ts';
import { findAnswered } from './answered-store.ts';
import { call } from './call.ts';
import { carriedBy } from './carry.ts';
import { chatPacing } from './chat-pauses.ts';
import { type ClaimedMessage, claimMessages } from './claim.ts';
import { type Asked, giveBack } from './claim-store.ts';
import { learn, type Refusal } from './learn.ts';
import { mailingWriter, type Rendering } from './mailing-messages.ts';
import {
  failed,
  isPausedBy,
  isSlowedBy,
  isUnheard,
  type Outcome,
  outcomeOf,
  refusal,
  unread,
} from './rules.ts';
import { type CallSpan, endSpan, spanOf } from './spans.ts';
import { dueChannels, type RecordedMessage, recordMessages, renewLeases } from './store.ts';

/** Renewed during longer calls. When it lapses, another worker takes over a dead worker's messages. */
const leaseMs = 5_000;
/** For one channel. More if its provider is slow, up to the adapter's limit. */
const leastConcurrency = 64;
/** For all channels together: each call has a socket, and holds its message and its answer. */
const mostAtOnce = 2_048;
/** The channels whose messages one statement claims. A statement costs more than the few messages of one channel. */
const claimedAtOnce = 32;
const claimsAtOnce = 2;

type Task = {
  message: ClaimedMessage;
  channel: Channel;
  rendering: Rendering | undefined;
  answers: Answered | undefined;
  /** For a mailing's message. */
  unsubscribeUrl?(): string;
  /** The remaining pause of its chat. */
  pauseMs: number;
};
type Done = Task & {
  outcome: Outcome;
  unheard: boolean;
  /** The start of the call that reported that the client has blocked us. */
  blockedAt: Date | null;
  /** What a rate limit applies to. */
  slows: Refusal['scope'];
  /** The end of the client's quiet hours, if the message waits for it. */
  quietUntil: Date | null;
  at: Date;
  span: CallSpan;
};

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
    const [renderings, pauses, answered] = await Promise.all([
      writeOut(messages),
      pausesOf(adapter.limits.chatPauseMs, messages),
      adapter.answers ? findAnswered(sql, messages) : null,
    ]);
    return messages.map((message) => {
      const rendering = renderings.get(message.id);
      const answers = answered?.get(message.chat_id);
      const pauseMs = pauses.get(message.id) ?? 0;
      const leaving = message.mailing_id !== null && {
        unsubscribeUrl: () => unsubscribeUrlFor(leavingOf(message)),
      };
      return { message: written(message, rendering), channel, rendering, answers, pauseMs, ...leaving };
    });
  }

  async function perform(task: Task, deadline: AbortSignal): Promise<Done> {
    const { message, rendering } = task;
    const calledAt = clock.now();
    const refused = refusal(message, rendering);
    if (!refused) {
      const quietUntil = message.quiet && quietUntilFor(message.quiet, message.quiet.client, calledAt);
      const waitMs = quietUntil ? quietUntil.getTime() - calledAt.getTime() : pauseOf(task);
      if (waitMs > 0) return { ...task, ...putBack(message, waitMs), quietUntil, at: calledAt, span: null };
    }
    const span = refused ? null : spanOf(context, message);
    const result = refused ?? (await timed(task, span, () => send(context, connections, task, deadline)));
    const at = clock.now();
    const history = {
      attempts: message.attempts,
      ageMs: at.getTime() - (message.launch_at ?? message.created_at).getTime(),
      inDoubt: message.in_doubt,
    };
    const done = { ...task, quietUntil: null, at, span };
    if (result === 'unread') {
      return { ...done, outcome: unread(history), unheard: false, blockedAt: null, slows: 'channel' };
    }
    const isBlocked = !refused && !result.sent && result.error.code === 'blocked';
    const outcome = outcomeOf(result, history, Math.random);
    endSpan(span, result, outcome);
    return {
      ...done,
      outcome,
      unheard: isUnheard(result, message.in_doubt),
      blockedAt: isBlocked ? calledAt : null,
      slows: slowsOf(result),
    };
  }

  async function timed(
    { message: { platform } }: Task,
    span: CallSpan,
    run: () => Promise<SendResult>,
  ): Promise<SendResult> {
    const began = performance.now();
    const result = await (span ? within({ trace: span.trace }, run) : run());
    context.metrics.sendSeconds.observe({ platform }, (performance.now() - began) / 1000);
    return result;
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
    perform,
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

const shortestLookMs = 5_000;

/** Two messages that wait for each other's end look again at different times. */
const pauseOf = ({ message, pauseMs }: Task): number =>
  message.standing === 'open' || message.topicStanding === 'open'
    ? Math.max(pauseMs, shortestLookMs * (1 + Math.random()))
    : pauseMs;

/** Nothing was sent, and the channel is not slowed: the chat got a message just before, or has quiet hours. */
const putBack = (
  message: ClaimedMessage,
  waitMs: number,
): Omit<Done, keyof Task | 'at' | 'quietUntil' | 'span'> => ({
  outcome: {
    state: message.in_doubt ? 'IN_PROCESS' : 'PENDING',
    detail: '',
    retryInMs: waitMs,
    slowDownMs: null,
    counts: false,
  },
  unheard: false,
  blockedAt: null,
  slows: 'chat',
});

const slowsOf = (result: SendResult): Refusal['scope'] =>
  !result.sent && result.error.code === 'rate_limited' ? (result.error.scope ?? 'channel') : 'channel';

const placesOf = (most: number): Bounds => ({ least: Math.min(leastConcurrency, most), most });

const sourcesOfPeople: ReadonlySet<string> = new Set(['operator', 'connector']);

const isRendered = (rendering: Rendering | undefined): rendering is { rendered: Rendered } =>
  typeof rendering === 'object' && 'rendered' in rendering;

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

async function send(
  context: Context,
  connections: Connections,
  { message, channel, answers, unsubscribeUrl }: Task,
  deadline: AbortSignal,
): Promise<SendResult> {
  const carried = carriedBy(message.content_type, message.content);
  if (!carried) return failed('unsupported');
  const outgoing: OutgoingMessage = {
    uuid: message.id,
    ...carried,
    chat: { uuid: message.chat_id, externalId: message.chat_external_id },
    ...(answers && { answers }),
    ...(unsubscribeUrl && { unsubscribeUrl }),
    ...(sourcesOfPeople.has(message.source) && { byPerson: true }),
  };
  return call(context, channel, outgoing, deadline, connections.get(channel.id));
}

/** What follows a call belongs to it. A process without tracing passes the message's own trace on. */
const traceOf = ({ span, message }: Done): string | null => span?.trace ?? message.trace;

async function record(context: Context, done: Done[]): Promise<void> {
  const { sql, clock, newId, wake } = context;
  const now = clock.now();
  const events = done.flatMap((one) =>
    eventsOf(one).map((event) =>
      outboxRow({ ...event, trace: traceOf(one) }, newId(), now, { message_id: one.message.id }),
    ),
  );
  // Channels first: when a message shows ERROR, its channel is paused already, and no worker keeps the old pace.
  // Blocks too are noted first: a repeated mailing to missed recipients then skips these clients.
  await teachChannels(context, done, now);
  await stopBlockedChats(sql, done);
  await recordMessages(sql, done.map(recorded), events, now);
  countSends(context, done);
  await followEarlyReceipts(context, done, now);
  if (events.length > 0) wake.wake('webhooks');
  wake.wake('live');
}

/** The results of a batch by platform, for the metrics. */
function countSends({ metrics }: Context, done: Done[]): void {
  const results = Map.groupBy(done, ({ message, outcome }) => `${message.platform} ${outcome.state}`);
  for (const [, batch] of results) {
    const [first] = batch;
    if (!first) continue;
    const { platform } = first.message;
    metrics.sends.inc({ platform, result: resultNames[first.outcome.state] }, batch.length);
  }
}

const resultNames = {
  SENT: 'sent',
  UNDELIVERED: 'undelivered',
  ERROR: 'error',
  PENDING: 'retried',
  IN_PROCESS: 'retried',
} as const satisfies Record<Outcome['state'], string>;

/** A provider may send a receipt before it has answered the call. */
async function followEarlyReceipts(context: Context, done: Done[], now: Date): Promise<void> {
  for (const [channel, batch] of Map.groupBy(done, ({ channel }) => channel)) {
    const ids = batch.flatMap(({ outcome }) =>
      outcome.state === 'SENT' && outcome.providerId !== null ? [outcome.providerId] : [],
    );
    await receiveEarlyReceipts(context, channel, ids, now);
  }
}

function eventsOf({ message, outcome }: Done): Event[] {
  if (!isFinal(outcome)) return [];
  const subject = subjectOf(message);
  const updated: Event = {
    type: 'message_updated',
    projectId: message.project_id,
    chatId: message.chat_id,
    platform: message.platform,
    payload: presentMessageUpdated(subject, { code: outcome.state, detail: detailOf(outcome) }),
  };
  return [
    ...(message.heard ? [updated] : []),
    ...(message.source === 'stream' ? [streamStatus(message, subject.chat, outcome.state)] : []),
    ...(message.mailing_id && message.project_hears
      ? mailingStates({ ...message, mailing_id: message.mailing_id }, subject.chat, outcome.state)
      : []),
  ];
}

function subjectOf(message: ClaimedMessage): MessageSubject {
  return {
    chat: {
      id: message.chat_id,
      platform: message.platform,
      name: message.chat_name,
      phone: message.chat_phone,
      avatar: message.chat_avatar,
      profile_id: message.profile_id,
    },
    message,
    session: message.session,
  };
}

const isFinal = (outcome: Outcome): boolean => outcome.state !== 'PENDING' && outcome.state !== 'IN_PROCESS';

const detailOf = (outcome: Outcome): string => ('detail' in outcome ? outcome.detail : '');

function recorded({ message, rendering, outcome, unheard, quietUntil, at, span }: Done): RecordedMessage {
  const retries = 'retryInMs' in outcome;
  return {
    project_id: message.project_id,
    id: message.id,
    lease: message.lease,
    state: outcome.state,
    state_detail: detailOf(outcome),
    due_at: new Date(at.getTime() + (retries ? outcome.retryInMs : 0)).toISOString(),
    uncount: retries && !outcome.counts ? 1 : 0,
    provider_id: outcome.state === 'SENT' ? outcome.providerId : null,
    sent_at: outcome.state === 'SENT' ? at.toISOString() : null,
    unheard: unheard && isFinal(outcome),
    rendered: isRendered(rendering) ? rendering.rendered : null,
    quiet_until: quietUntil?.toISOString() ?? null,
    trace: span?.trace,
  };
}

async function stopBlockedChats(sql: Context['sql'], done: Done[]): Promise<void> {
  const blocked = done.flatMap(({ message, blockedAt }) =>
    blockedAt ? [{ project_id: message.project_id, chat_id: message.chat_id, at: blockedAt }] : [],
  );
  if (blocked.length > 0) await stopChats(sql, blocked);
}

/** Applies the results of a batch to their channels: rate limits and refused credentials. */
async function teachChannels(context: Context, done: Done[], now: Date): Promise<void> {
  const refusals = new Map<string, Refusal[]>();
  const refused = new Map<string, string>();
  for (const { channel, outcome, message, slows } of done) {
    const channelId = channel.id;
    if (isSlowedBy(outcome)) {
      const refusal = { chatId: message.chat_id, pauseMs: outcome.slowDownMs, scope: slows };
      refusals.set(channelId, [...(refusals.get(channelId) ?? []), refusal]);
    }
    if (isPausedBy(outcome)) refused.set(channelId, outcome.detail);
  }
  const sentTo = new Set(
    done.filter(({ outcome }) => outcome.state === 'SENT').map(({ message }) => message.chat_id),
  );
  for (const [channelId, refused] of refusals) await learn(context.sql, channelId, refused, sentTo, now);
  for (const [channelId, detail] of refused) {
    await pauseRefusedChannel(context.sql, channelId, detail);
    context.log.error({ channel: channelId }, `sending: the channel is paused: ${detail}`);
  }
}
