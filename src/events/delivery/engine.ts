import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/database/database.ts';
import { batched } from '../../platform/pump/batch.ts';
import { workDeadline } from '../../platform/pump/deadlines.ts';
import { type Pump, startPump } from '../../platform/pump/pump.ts';
import type { Span } from '../../platform/telemetry/traces.ts';
import { within } from '../../platform/work.ts';
import { type Attempt, callReceiver, type Receiver } from '../endpoints/call.ts';
import { type EndpointRow, findEnabledEndpoint } from '../endpoints/health-store.ts';
import {
  claimedEvents,
  claimQueues,
  dueEndpoints,
  type RecordRow,
  recordAttempts,
  renewQueues,
  type WaitingEvent,
} from '../queue-store.ts';
import { openSecrets, secretsInForce } from '../secrets.ts';
import { noteHealth } from './health.ts';
import { judge, type Verdict } from './rules.ts';

/** Renewed during longer calls. When it lapses, another worker takes over a dead worker's chats. */
const leaseMs = 5_000;
/**
 * The chats of one endpoint that are delivered at once. A failing endpoint gets fewer, as each call may last long.
 */
const concurrency = 256;
const concurrencyWhileFailing = 16;
/** For all endpoints together: each call has a socket, and holds its event and its answer. */
const mostAtOnce = 2_048;
const eventsOfAChat = 16;
const recordAtOnce = 500;

/** A chat's first waiting event, and those after it. */
type Task = {
  endpoint: EndpointRow;
  receiver: Receiver;
  /** The chat gets a new lease for each of its events. */
  held: { lease: string };
  event: WaitingEvent;
  rest: WaitingEvent[];
};

type Done = Pick<Task, 'endpoint' | 'event'> & {
  lease: string;
  attemptId: string;
  attempt: Attempt;
  verdict: Verdict;
  /** The lease that keeps the chat for its next event. Null gives the chat back. */
  nextLease: string | null;
  /** The time at which the chat next needs a worker. */
  dueAt: Date;
};

/** Delivers the events of the outbox. */
export function startWebhooks(context: Context): Pump {
  let failing = new Set<string>();
  let isStopping = false;
  const keep = batched(
    async (done: Done[]) => {
      const written = await record(context, done);
      return done.map(({ attemptId }) => written.has(attemptId));
    },
    { max: recordAtOnce },
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
    perform: (task, deadline) =>
      deliverInOrder(context, task, deadline, { isStopping: () => isStopping, keep }),
    async record(done) {
      await record(context, done);
    },
    mostAtOnce,
    places(endpointId) {
      const places = failing.has(endpointId) ? concurrencyWhileFailing : concurrency;
      return { least: places, most: places };
    },
    leaseMs,
    renew: (tasks, until) => renewQueues(context.sql, tasks.map(queueOf), until),
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
  // The secrets are read before the claim: a failure afterwards would leave a claim without a worker.
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
    event ? [{ endpoint, receiver, held: { lease: leased.lease }, event, rest }] : [],
  );
}

const newLease = ({ clock, newId }: Context) => ({
  lease: newId(),
  leaseUntil: new Date(clock.now().getTime() + leaseMs),
});

const queueOf = ({ endpoint, event, held }: Task) => ({
  endpoint_id: endpoint.id,
  chat_id: event.chat_id,
  lease: held.lease,
});

type Way = {
  isStopping(): boolean;
  /** Records a result and keeps the chat. False when the lease was lost: another worker has the chat. */
  keep(done: Done): Promise<boolean>;
};

/**
 * Delivers a chat's events one after another. Each is recorded before the next is sent. A crash therefore repeats
 * only the running one.
 */
async function deliverInOrder(context: Context, task: Task, deadline: AbortSignal, way: Way): Promise<Done> {
  const done = await deliver(context, task, deadline);
  const [event, ...rest] = task.rest;
  if (!event || done.verdict.state === 'PENDING' || way.isStopping()) return done;
  const nextDeadline = workDeadline();
  const { lease, leaseUntil } = newLease(context);
  const isKept = await way.keep({ ...done, nextLease: lease, dueAt: leaseUntil }).catch(() => false);
  if (!isKept || context.clock.now() >= leaseUntil) return done;
  task.held.lease = lease;
  return deliverInOrder(context, { ...task, event, rest }, nextDeadline, way);
}

async function deliver(
  context: Context,
  { endpoint, receiver, held, event }: Task,
  deadline: AbortSignal,
): Promise<Done> {
  const { lease } = held;
  const span = spanOf(context, endpoint, event);
  const attempt = await called(context, receiver, { event, deadline, span });
  const verdict = judge(attempt, event.attempts + 1, Math.random);
  span?.end({
    status: attempt.status,
    outcome: resultNames[verdict.state],
    ...(verdict.state !== 'DELIVERED' && {
      error: attempt.status === null ? 'no answer' : String(attempt.status),
    }),
  });
  const pauseMs = verdict.state === 'PENDING' ? verdict.retryInMs : 0;
  const dueAt = new Date(context.clock.now().getTime() + pauseMs);
  return { endpoint, lease, event, attemptId: context.newId(), attempt, verdict, nextLease: null, dueAt };
}

type Call = { event: WaitingEvent; deadline: AbortSignal; span: Span | null | undefined };

function called(context: Context, receiver: Receiver, { event, deadline, span }: Call): Promise<Attempt> {
  if (!span) return callReceiver(context, receiver, { id: event.id, body: event.body }, deadline);
  const { trace } = span;
  return within({ trace }, () => callReceiver(context, receiver, { ...event, trace }, deadline));
}

const spanOf = ({ traces }: Context, endpoint: EndpointRow, event: WaitingEvent): Span | null | undefined =>
  traces?.follow(event.trace, {
    name: 'webhook',
    kind: 'client',
    facts: {
      project: endpoint.project_id,
      endpoint: endpoint.id,
      event: event.id,
      attempt: event.attempts + 1,
    },
  });

/** Returns the ids of the attempts whose leases were still held. */
async function record(context: Context, done: Done[]): Promise<Set<string>> {
  await noteHealth(context, done);
  const written = await recordAttempts(context.sql, done.map(recordRow), context.clock.now());
  for (const { attempt, verdict } of done) {
    context.metrics.deliveries.inc({ result: resultNames[verdict.state] });
    context.metrics.deliverySeconds.observe(attempt.durationMs / 1000);
  }
  return written;
}

const resultNames = { DELIVERED: 'delivered', PENDING: 'retried', FAILED: 'failed' } as const;

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
