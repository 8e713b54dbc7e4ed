import type { Connections } from '../../channels/connected/connections.ts';
import type { OutgoingMessage, SendResult } from '../../channels/contract/adapter.ts';
import { quietUntilFor } from '../../mailings/quiet-hours.ts';
import type { Context } from '../../platform/context.ts';
import { within } from '../../platform/work.ts';
import { call } from './call.ts';
import { carriedBy } from './carry.ts';
import type { ClaimedMessage } from './claim.ts';
import type { Refusal } from './learn.ts';
import { failed, isUnheard, outcomeOf, refusal, unread } from './rules.ts';
import { type CallSpan, endSpan, spanOf } from './spans.ts';
import type { Done, Task } from './task.ts';

/** Calls the provider, unless the message is refused before or must wait. Never throws. */
export async function perform(
  context: Context,
  connections: Connections,
  task: Task,
  deadline: AbortSignal,
): Promise<Done> {
  const { clock } = context;
  const { message, rendering } = task;
  const calledAt = clock.now();
  const refused = refusal(message, rendering);
  if (!refused) {
    const quietUntil = message.quiet && quietUntilFor(message.quiet, message.quiet.client, calledAt);
    const waitMs = quietUntil ? quietUntil.getTime() - calledAt.getTime() : pauseOf(task);
    if (waitMs > 0)
      return { ...task, ...putBack(message, waitMs), quietUntil, calledAt, at: calledAt, span: null };
  }
  const span = refused ? null : spanOf(context, message);
  const result =
    refused ?? (await timed(context, task, span, () => send(context, connections, task, deadline)));
  const at = clock.now();
  const history = {
    attempts: message.attempts,
    ageMs: at.getTime() - (message.launch_at ?? message.created_at).getTime(),
    inDoubt: message.in_doubt,
  };
  const done = { ...task, isCalled: !refused, quietUntil: null, calledAt, at, span };
  if (result === 'unread') {
    return { ...done, outcome: unread(history), unheard: false, isBlocked: false, slows: 'channel' };
  }
  const outcome = outcomeOf(result, history, Math.random);
  endSpan(span, result, outcome);
  return {
    ...done,
    outcome,
    unheard: isUnheard(result, message.in_doubt),
    isBlocked: !refused && !result.sent && result.error.code === 'blocked',
    slows: slowsOf(result),
  };
}

async function timed(
  { metrics }: Context,
  { message: { platform } }: Task,
  span: CallSpan,
  run: () => Promise<SendResult>,
): Promise<SendResult> {
  const began = performance.now();
  const result = await (span ? within({ trace: span.trace }, run) : run());
  metrics.sendSeconds.observe({ platform }, (performance.now() - began) / 1000);
  return result;
}

async function send(
  context: Context,
  connections: Connections,
  { message, channel, answers, lastingIds, unsubscribeUrl }: Task,
  deadline: AbortSignal,
): Promise<SendResult> {
  const carried = carriedBy(message.content_type, message.content);
  if (!carried) return failed('unsupported');
  const outgoing: OutgoingMessage = {
    uuid: message.id,
    ...carried,
    chat: { uuid: message.chat_id, externalId: message.chat_external_id, ...(lastingIds && { lastingIds }) },
    ...(answers && { answers }),
    ...(unsubscribeUrl && { unsubscribeUrl }),
    ...(sourcesOfPeople.has(message.source) && { byPerson: true }),
  };
  return call(context, channel, outgoing, deadline, connections.get(channel.id));
}

const sourcesOfPeople: ReadonlySet<string> = new Set(['operator', 'connector']);

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
): Omit<Done, keyof Task | 'calledAt' | 'at' | 'quietUntil' | 'span'> => ({
  outcome: {
    state: message.in_doubt ? 'IN_PROCESS' : 'PENDING',
    detail: '',
    retryInMs: waitMs,
    slowDownMs: null,
    counts: false,
  },
  isCalled: false,
  unheard: false,
  isBlocked: false,
  slows: 'chat',
});

const slowsOf = (result: SendResult): Refusal['scope'] =>
  !result.sent && result.error.code === 'rate_limited' ? (result.error.scope ?? 'channel') : 'channel';
