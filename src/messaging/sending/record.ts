import { pauseRefusedChannel } from '../../channels/connected/store.ts';
import { outboxRow } from '../../events/outbox.ts';
import type { Event } from '../../events/types.ts';
import type { Context } from '../../platform/context.ts';
import { mailingStates } from '../chats/mailing-events.ts';
import { type MessageSubject, presentMessageUpdated } from '../chats/present.ts';
import { receiveEarlyReceipts } from '../chats/receipts.ts';
import { stopChats } from '../chats/stop-store.ts';
import { streamStatus } from '../chats/stream-events.ts';
import type { ClaimedMessage } from './claim.ts';
import { learn, type Refusal } from './learn.ts';
import { isPausedBy, isSlowedBy, type Outcome } from './rules.ts';
import { type RecordedMessage, recordMessages } from './store.ts';
import { type Done, isRendered } from './task.ts';

/** What follows a call belongs to it. A process without tracing passes the message's own trace on. */
const traceOf = ({ span, message }: Done): string | null => span?.trace ?? message.trace;

/** Writes the results of a batch, and what follows from them. */
export async function record(context: Context, done: Done[]): Promise<void> {
  const { sql, clock, newId, wake } = context;
  const now = clock.now();
  const events = done.flatMap((one) => {
    const { id, lease } = one.message;
    return eventsOf(one).map((event) =>
      outboxRow({ ...event, trace: traceOf(one) }, newId(), now, { message_id: id, lease }),
    );
  });
  // Channels first: when a message shows ERROR, its channel is paused already, and no worker keeps the old pace.
  // Blocks too are noted first: a repeated mailing to missed recipients then skips these clients.
  await teachChannels(context, done, now);
  await stopBlockedChats(sql, done);
  await recordMessages(sql, done.map(recorded), events, now);
  countSends(context, done);
  await followEarlyReceipts(context, done, now);
  if (events.length > 0) wake.wake('webhooks');
  if (done.some(({ message, outcome }) => message.starts_run && isFinal(outcome))) wake.wake('running');
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
    const calls = batch.flatMap(({ outcome, calledAt }) =>
      outcome.state === 'SENT' && outcome.providerId !== null
        ? [{ providerId: outcome.providerId, calledAt }]
        : [],
    );
    await receiveEarlyReceipts(context, channel, calls, now);
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

function recorded(done: Done): RecordedMessage {
  const { message, rendering, outcome, isCalled, unheard, quietUntil, at, span } = done;
  const retries = 'retryInMs' in outcome;
  const isAttempt = retries ? outcome.counts : isCalled;
  return {
    project_id: message.project_id,
    id: message.id,
    lease: message.lease,
    state: outcome.state,
    state_detail: detailOf(outcome) || undefined,
    due_at: new Date(at.getTime() + (retries ? outcome.retryInMs : 0)).toISOString(),
    uncount: isAttempt ? undefined : 1,
    provider_id: outcome.state === 'SENT' ? (outcome.providerId ?? undefined) : undefined,
    unheard: (unheard && isFinal(outcome)) || undefined,
    rendered: isRendered(rendering) ? rendering.rendered : undefined,
    quiet_until: quietUntil?.toISOString(),
    trace: span?.trace,
  };
}

async function stopBlockedChats(sql: Context['sql'], done: Done[]): Promise<void> {
  const blocked = done.flatMap(({ message, isBlocked, calledAt }) =>
    isBlocked ? [{ project_id: message.project_id, chat_id: message.chat_id, at: calledAt }] : [],
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
