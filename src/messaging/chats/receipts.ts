import type { InboundEvent } from '../../channels/contract/inbound.ts';
import type { Platform } from '../../channels/contract/platforms.ts';
import { capabilitiesOf } from '../../channels/registry.ts';
import { outboxRow } from '../../events/outbox.ts';
import type { Event } from '../../events/types.ts';
import type { Context } from '../../platform/context.ts';
import type { Span } from '../../platform/telemetry/traces.ts';
import {
  type AnsweredCall,
  dropEarly,
  type EarlyMark,
  findEarly,
  findMarks,
  findStranded,
  keepEarly,
  keepMarks,
} from './early-receipts-store.ts';
import { mailingReaction, mailingStates } from './mailing-events.ts';
import { type ChatFacts, presentMessageUpdated } from './present.ts';
import {
  findKnown,
  findReceived,
  findReceivedUpTo,
  type Mark,
  type Move,
  moveMessages,
  type ReceivedMessage,
  type Wanted,
} from './receipts-store.ts';
import { type MessageState, movesOn, type ReceivedState, receiptMoves } from './rules.ts';
import { streamReaction, streamStatus } from './stream-events.ts';

export type ReceiptEvent = Extract<InboundEvent, { kind: 'receipt' }>;

export type ReceivingChannel = { projectId: string; id: string; platform: Platform };

type Needs = Pick<Context, 'sql' | 'newId' | 'wake' | 'traces'>;

type Step = { round: number; message: ReceivedMessage; move: Move };

/**
 * Moves the messages that receipts name, forwards only, and announces every move. Receipts for messages of other
 * channels change nothing, nor do late or repeated receipts.
 */
export async function receiveReceipts(
  context: Needs,
  channel: ReceivingChannel,
  receipts: readonly ReceiptEvent[],
  now: Date,
): Promise<void> {
  if (receipts.length === 0) return;
  await keepEarlyMarks(context.sql, channel, receipts, now);
  const found = await findSubjects(context.sql, channel, receipts, now);
  await follow(context, found, receipts, now);
  await keepEarlyOnes(context, channel, receipts, found, now);
}

/**
 * Applies the receipts that arrived before the answers to these calls. The messages are known by now: a receipt is
 * dropped when it was applied, and not before.
 */
export async function receiveEarlyReceipts(
  context: Needs,
  channel: ReceivingChannel,
  calls: readonly AnsweredCall[],
  now: Date,
): Promise<void> {
  if (!capabilitiesOf(channel.platform).hasEarlyReceipts || calls.length === 0) return;
  const providerIds = calls.map(({ providerId }) => providerId);
  const kept = await findEarly(context.sql, channel, providerIds);
  const marks = await findMarks(context.sql, channel, calls);
  const receipts: ReceiptEvent[] = [
    ...kept.map(({ provider_id: providerId, ...told }) => receiptFor({ providerId }, told)),
    ...marks.map(({ state, ...mark }) => {
      const { provider_id: providerId } = mark;
      const subject = providerId === null ? { chat: mark.chat, upTo: mark.up_to } : { providerId };
      return receiptFor(subject, { state, detail: '' });
    }),
  ];
  if (receipts.length === 0) return;
  await follow(context, await findSubjects(context.sql, channel, receipts, now), receipts, now);
  if (kept.length > 0) await dropEarly(context.sql, channel, kept);
}

/** Applies early receipts that a process which has ended left behind. */
export async function receiveStranded(context: Needs & Pick<Context, 'clock'>): Promise<void> {
  const now = context.clock.now();
  for (const { project_id, channel_id: id, platform, provider_ids } of await findStranded(context.sql)) {
    const channel = { projectId: project_id, id, platform };
    await receiveEarlyReceipts(context, channel, provider_ids.map(byId), now);
  }
}

const byId = (providerId: string): AnsweredCall => ({ providerId });

const receiptFor = (
  message: ReceiptEvent['message'],
  { state, detail }: Pick<ReceiptEvent, 'state' | 'detail'>,
): ReceiptEvent => ({ kind: 'receipt', message, state, detail });

/** Before the lookup: a message whose id becomes known during the lookup finds them. */
async function keepEarlyMarks(
  sql: Context['sql'],
  channel: ReceivingChannel,
  receipts: readonly ReceiptEvent[],
  now: Date,
): Promise<void> {
  if (!capabilitiesOf(channel.platform).hasEarlyReceipts) return;
  const marks = receipts.flatMap(({ message, state }): EarlyMark[] => {
    if ('upTo' in message) {
      const { chat, upTo: up_to } = message;
      return isNumber(up_to) ? [{ chat, up_to, is_time: false, state }] : [];
    }
    if (!('until' in message)) return [];
    const ms = untilMs(message.until, now);
    return ms > 0 ? [{ chat: message.chat, up_to: String(ms), is_time: true, state }] : [];
  });
  if (marks.length > 0) await keepMarks(sql, channel, marks, now);
}

/**
 * The answer may be recorded between the first lookup and the insert. A second lookup therefore follows the insert.
 */
async function keepEarlyOnes(
  context: Needs,
  channel: ReceivingChannel,
  receipts: readonly ReceiptEvent[],
  found: readonly ReceivedMessage[],
  now: Date,
): Promise<void> {
  if (!capabilitiesOf(channel.platform).hasEarlyReceipts) return;
  const done = new Set(found.map(({ position }) => position));
  const early = receipts.flatMap(({ message, state, detail }, position) =>
    'providerId' in message && !done.has(position)
      ? [{ provider_id: message.providerId, state, detail }]
      : [],
  );
  if (early.length === 0) return;
  const providerIds = early.map(({ provider_id }) => provider_id);
  await keepEarly(context.sql, channel, early, now);
  const known = await findKnown(context.sql, channel, providerIds);
  await receiveEarlyReceipts(context, channel, known.map(byId), now);
}

async function follow(
  context: Needs,
  found: readonly ReceivedMessage[],
  receipts: readonly ReceiptEvent[],
  now: Date,
): Promise<void> {
  const steps = stepsOf(found, receipts);
  for (const round of Map.groupBy(steps, ({ round }) => round).values()) await takeSteps(context, round, now);
  if (steps.length === 0) return;
  context.wake.wake('webhooks');
  context.wake.wake('live');
}

/** The messages that each receipt is about, by the receipt's position. */
async function findSubjects(
  sql: Context['sql'],
  channel: ReceivingChannel,
  receipts: readonly ReceiptEvent[],
  now: Date,
): Promise<ReceivedMessage[]> {
  const wanted = receipts.flatMap(({ message }, position): Wanted[] => {
    if ('uuid' in message) return [{ position, id: message.uuid }];
    return 'providerId' in message ? [{ position, provider_id: message.providerId }] : [];
  });
  const marks = receipts.flatMap(({ message }, position) => markOf(message, position, now));
  const found = wanted.length > 0 ? await findReceived(sql, channel, wanted) : [];
  return marks.length > 0 ? [...found, ...(await findReceivedUpTo(sql, channel, marks))] : found;
}

const isNumber = (id: string): boolean => /^\d{1,40}$/.test(id);

/** No receipt is from the future. NaN for a time beyond all dates. */
const untilMs = (until: Date, now: Date): number => Math.min(until.getTime(), now.getTime());

/** A provider's clock differs from ours, and we record a sending after the answer. */
const clockToleranceMs = 1_000;

function markOf(message: ReceiptEvent['message'], position: number, now: Date): Mark[] {
  if ('upTo' in message) {
    const { chat, upTo: up_to } = message;
    return isNumber(up_to) ? [{ position, chat, up_to }] : [];
  }
  if (!('until' in message)) return [];
  const ms = untilMs(message.until, now) + clockToleranceMs;
  // Nothing was sent before, and the database knows no date of such a year.
  return ms > 0 ? [{ position, chat: message.chat, until: new Date(ms).toISOString() }] : [];
}

/**
 * A message makes one step in a round. It makes several steps when it has several receipts. The same holds when a
 * receipt proves a sending that is not recorded yet.
 */
function stepsOf(messages: readonly ReceivedMessage[], receipts: readonly ReceiptEvent[]): Step[] {
  const reached = new Map<string, { state: MessageState; round: number }>();
  return messages.flatMap((message) => {
    const receipt = receipts[message.position];
    if (!receipt) return [];
    const { state: from, round } = reached.get(message.id) ?? { state: message.state, round: 0 };
    const states = movesOn(receipt.state, from);
    const last = states.at(-1);
    if (last) reached.set(message.id, { state: last, round: round + states.length });
    return states.map((state, index) => ({
      round: round + index,
      message,
      move: moveTo(message, state, state === last ? receipt.detail : ''),
    }));
  });
}

const moveTo = (message: ReceivedMessage, state: ReceivedState, detail: string): Move => ({
  project_id: message.project_id,
  id: message.id,
  state,
  state_detail: detail,
  from: receiptMoves[state],
});

async function takeSteps({ sql, newId, traces }: Needs, steps: readonly Step[], now: Date): Promise<void> {
  const traced = steps.map((step) => ({ ...step, span: spanOf(traces, step) }));
  const events = traced.flatMap((step) =>
    eventsOf(step, newId).map(([id, event]) =>
      outboxRow({ ...event, trace: step.span?.trace ?? step.message.trace }, id, now, {
        message_id: step.message.id,
      }),
    ),
  );
  const moves = steps.map(({ move }) => move);
  await moveMessages(sql, moves, events, now);
  for (const { span } of traced) span?.end();
}

/** A receipt belongs to the trace of its message, and not to the request that brought receipts of many. */
const spanOf = (traces: Context['traces'], { message, move }: Step): Span | null | undefined =>
  traces?.follow(message.trace, {
    name: 'receipt',
    kind: 'internal',
    facts: {
      project: message.project_id,
      message: message.id,
      platform: message.platform,
      outcome: move.state,
    },
  });

/** The events that announce a step, each with its id. */
function eventsOf({ message, move }: Step, newId: () => string): Named[] {
  const chat = chatOf(message);
  const updated: Event = {
    type: 'message_updated',
    projectId: message.project_id,
    chatId: chat.id,
    platform: chat.platform,
    payload: presentMessageUpdated(
      { chat, message, session: message.session },
      { code: move.state, detail: move.state_detail },
    ),
  };
  return [
    [newId(), updated],
    ...streamEvents(message, move.state, newId),
    ...mailingEvents(message, move.state, newId),
  ];
}

type Named = [id: string, event: Event];

function streamEvents(message: ReceivedMessage, state: ReceivedState, newId: () => string): Named[] {
  if (message.source !== 'stream') return [];
  const chat = chatOf(message);
  const status: Named = [newId(), streamStatus(message, chat, state)];
  if (state !== 'READ') return [status];
  const id = newId();
  return [status, [id, streamReaction(id, message, chat, 'READ')]];
}

function mailingEvents(message: ReceivedMessage, state: ReceivedState, newId: () => string): Named[] {
  const { project_id, mailing_id, project_hears } = message;
  if (!mailing_id || !project_hears) return [];
  const chat = chatOf(message);
  const states = mailingStates({ project_id, mailing_id }, chat, state).map(
    (event): Named => [newId(), event],
  );
  if (state !== 'READ') return states;
  const id = newId();
  return [...states, [id, mailingReaction(id, project_id, chat, 'READ')]];
}

const chatOf = (message: ReceivedMessage): ChatFacts => ({ ...message, id: message.chat_id });
