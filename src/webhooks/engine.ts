import type { Context } from '../context.ts';
import { openSecrets, secretsInForce } from '../events/secrets.ts';
import { type Attempt, callReceiver, type Receiver } from '../integrations/call.ts';
import { batched } from '../lib/batch.ts';
import { deadlineWithin, type Pump, startPump } from '../lib/pump.ts';
import { isDatabaseUnavailable } from '../storage/database.ts';
import { type EndpointRow, findEnabledEndpoint } from './endpoint-store.ts';
import { noteHealth } from './health.ts';
import { judge, type Verdict } from './rules.ts';
import {
  claimedEvents,
  claimQueues,
  dueEndpoints,
  type RecordRow,
  recordAttempts,
  type WaitingEvent,
} from './store.ts';

/** Longer than a call, so that its result can be written. A dead worker's chats are taken over when it ends. */
const leaseMs = 20_000;
/** Chats of one endpoint that are delivered at once; fewer of one that only fails, as each may hold its place for long. */
const concurrency = 256;
const concurrencyWhileFailing = 16;
/** Of all endpoints: each call has a socket, and holds its event and its answer. */
const mostAtOnce = 2_048;
const eventsOfAChat = 16;
const recordAtOnce = 500;

/** What one lease is for: a chat's first waiting event, and those to go on with. */
type Task = {
  endpoint: EndpointRow;
  receiver: Receiver;
  lease: string;
  event: WaitingEvent;
  rest: WaitingEvent[];
};

type Done = Pick<Task, 'endpoint' | 'lease' | 'event'> & {
  attemptId: string;
  attempt: Attempt;
  verdict: Verdict;
  /** What the chat is kept with for its next event; null gives it back. */
  nextLease: string | null;
  /** When the chat next needs a worker. */
  dueAt: Date;
};

/** Delivers what the outbox holds. */
export function startWebhooks(context: Context): Pump {
  let failing = new Set<string>();
  let isStopping = false;
  const keep = batched(
    async (done: Done[]) => {
      await record(context, done);
      return done;
    },
    { max: recordAtOnce },
  );
  const goOn = async (done: Done): Promise<boolean> =>
    !isStopping &&
    keep(done).then(
      () => true,
      () => false,
    );
  const pump = startPump<Task, Done>({
    name: 'webhooks',
    clock: context.clock,
    log: context.log,
    async due() {
      const lanes = await dueEndpoints(context.sql);
      failing = new Set(lanes.filter((lane) => lane.isFailing).map(({ key }) => key));
      return lanes;
    },
    claim: (endpointId, free) => claim(context, endpointId, free),
    perform: (task, deadline) => deliverInOrder(context, task, deadline, goOn),
    record: (done) => record(context, done),
    mostAtOnce,
    places(endpointId) {
      const places = failing.has(endpointId) ? concurrencyWhileFailing : concurrency;
      return { least: places, most: places };
    },
    leaseMs,
    isUnavailable: isDatabaseUnavailable,
  });
  return {
    wake: pump.wake,
    stop() {
      isStopping = true;
      return pump.stop();
    },
  };
}

async function claim(context: Context, endpointId: string, free: number): Promise<Task[]> {
  const { sql, clock, vault } = context;
  // Read before anything is claimed: what cannot be read would leave a claim that nobody works on.
  const endpoint = await findEnabledEndpoint(sql, endpointId);
  if (!endpoint) return [];
  const now = clock.now();
  const secrets = secretsInForce(openSecrets(vault, endpointId, endpoint.sealed_secrets), now);
  const receiver = { url: endpoint.url, secrets };
  const leased = { endpointId, ...newLease(context) };
  const chats = await claimQueues(sql, leased, free, now);
  if (chats === 0) return [];
  const events = await claimedEvents(sql, leased, eventsOfAChat);
  const eventsOf = Map.groupBy(events, ({ chat_id }) => chat_id);
  return [...eventsOf.values()].flatMap(([event, ...rest]) =>
    event ? [{ endpoint, receiver, lease: leased.lease, event, rest }] : [],
  );
}

const newLease = ({ clock, newId }: Context) => ({
  lease: newId(),
  leaseUntil: new Date(clock.now().getTime() + leaseMs),
});

/**
 * Delivers a chat's events one after another. Each is recorded before the next is sent, so that a crash repeats
 * the one under way and no more.
 */
async function deliverInOrder(
  context: Context,
  task: Task,
  deadline: AbortSignal,
  goOn: (done: Done) => Promise<boolean>,
): Promise<Done> {
  const done = await deliver(context, task, deadline);
  const [event, ...rest] = task.rest;
  if (!event || done.verdict.state === 'PENDING') return done;
  const nextDeadline = deadlineWithin(leaseMs);
  const { lease, leaseUntil } = newLease(context);
  const goesOn = await goOn({ ...done, nextLease: lease, dueAt: leaseUntil });
  return goesOn ? deliverInOrder(context, { ...task, lease, event, rest }, nextDeadline, goOn) : done;
}

async function deliver(
  context: Context,
  { endpoint, receiver, lease, event }: Task,
  deadline: AbortSignal,
): Promise<Done> {
  const attempt = await callReceiver(context, receiver, event, deadline);
  const verdict = judge(attempt, event.attempts + 1, Math.random);
  const pauseMs = verdict.state === 'PENDING' ? verdict.retryInMs : 0;
  const dueAt = new Date(context.clock.now().getTime() + pauseMs);
  return { endpoint, lease, event, attemptId: context.newId(), attempt, verdict, nextLease: null, dueAt };
}

async function record(context: Context, done: Done[]): Promise<void> {
  await noteHealth(context, done);
  await recordAttempts(context.sql, done.map(recordRow), context.clock.now());
}

const recordRow = ({ endpoint, event, attempt, ...done }: Done): RecordRow => ({
  endpoint_id: endpoint.id,
  chat_id: event.chat_id,
  lease: done.lease,
  next_lease: done.nextLease,
  due_at: done.dueAt,
  project_id: endpoint.project_id,
  event_id: event.id,
  state: done.verdict.state,
  attempt_id: done.attemptId,
  started_at: attempt.startedAt,
  duration_ms: attempt.durationMs,
  status: attempt.status,
  error: attempt.error,
  answer: attempt.answer,
});
