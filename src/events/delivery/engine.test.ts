import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { Webhook as Signature } from 'standardwebhooks';
import { severable } from '../../../test/cut-off.ts';
import { heldTimeouts } from '../../../test/held-timeouts.ts';
import {
  answerWith,
  type Behaviour,
  startMessenger as startReceiver,
} from '../../../test/stand-ins/messenger.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';
import { samplePayload, startDeliveries, type Webhook } from '../../../test/webhook-harness.ts';
import type { Context } from '../../platform/context.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { WEBHOOK_RETRIES } from '../../platform/pump/backoff.ts';
import { recordEvents } from '../outbox.ts';
import { claimedEvents, claimQueues, dueEndpoints, type RecordRow, recordAttempts } from '../queue-store.ts';
import { startWebhooks } from './engine.ts';

const { context, sql, clock, webhook, deliver, queue, event } = await startDeliveries({ after });

// The undelivered events of one test do not reach the next.
afterEach(() => sql`delete from event_queues`);

const leaseMs = 5_000;
const chats = (count: number): string[] => Array.from({ length: count }, context.newId);
const ids = (deliveries: { headers: Record<string, unknown> }[]) =>
  deliveries.map(({ headers }) => headers['webhook-id']);
const attemptsOf = (eventId: string) =>
  sql`select status, error, answer, started_at from attempts where event_id = ${eventId} order by id`;

test('an event arrives once, unchanged, signed by the rules of Standard Webhooks', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const [chat = ''] = chats(1);
  const [id = ''] = await hook.announce(chat);
  await deliver();

  assert.equal(receiver.deliveries.length, 1);
  const [delivery] = receiver.deliveries;
  assert.equal(delivery?.headers['webhook-id'], id);
  assert.equal(delivery?.headers['content-type'], 'application/json');
  assert.deepEqual(delivery?.body, {
    event_type: 'message_created',
    payload: samplePayload(chat),
    timestamp: clock.now().getTime(),
  });
  const expected = new Signature(hook.secret).sign(id, clock.now(), delivery?.raw ?? '');
  assert.equal(delivery?.headers['webhook-signature'], expected);
  assert.equal(delivery?.headers['webhook-timestamp'], String(clock.now().getTime() / 1000));

  assert.deepEqual(await event(id), { state: 'DELIVERED', attempts: 1, finished_at: clock.now() });
  assert.deepEqual(
    [...(await attemptsOf(id))],
    [{ status: 200, error: null, answer: '{}', started_at: clock.now() }],
  );
  assert.equal((await queue(chat)).waiting, 0);
});

test('a call has 15 seconds, follows no redirect and keeps 20 KB of the answer', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const [id = ''] = await hook.announce(context.newId());
  const timeouts = heldTimeouts(t);
  receiver.behave(answerWith(302, { location: `${receiver.url}elsewhere` }, `\u0000é${'x'.repeat(30_000)}`));
  await deliver(context);
  assert.deepEqual(new Set(timeouts.asked), new Set([15_000]));
  assert.equal(receiver.deliveries.length, 1);
  const [attempt] = await attemptsOf(id);
  assert.equal(attempt?.status, 302);
  assert.equal(attempt?.answer, `\uFFFDé${'x'.repeat(20 * 1024 - 3)}`);
});

test('a failing event is tried by the schedule, then given up, and the next event of its chat follows', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const chat = context.newId();
  const [first = '', second = ''] = await hook.announce(chat, chat);
  receiver.behave((delivery, response) =>
    answerWith(delivery.headers['webhook-id'] === first ? 500 : 200)(delivery, response),
  );
  for (const planned of WEBHOOK_RETRIES) {
    await deliver();
    const pause = (await queue(chat)).due_at.getTime() - clock.now().getTime();
    assert.ok(pause >= planned * 0.8 && pause <= planned * 1.2, `${pause} ms instead of ${planned}`);
    clock.advance(pause - 1);
    await deliver();
    clock.advance(1);
  }
  assert.equal((await event(second))?.state, 'PENDING');
  await deliver();
  assert.equal((await event(first))?.state, 'FAILED');
  assert.equal((await event(second))?.state, 'DELIVERED');
  assert.deepEqual(ids(receiver.deliveries), [...Array(10).fill(first), second]);
  assert.equal((await attemptsOf(first)).length, 10);
});

test('a longer Retry-After is honoured, as seconds and as a date, up to a day', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const date = new Date(clock.now().getTime() + 3_600_000).toUTCString();
  const untilDate = Date.parse(date) - clock.now().getTime();
  const pauses: number[] = [];
  for (const retryAfter of ['90', date, '9999999', '0']) {
    const chat = context.newId();
    receiver.behave(answerWith(503, { 'retry-after': retryAfter }));
    await hook.announce(chat);
    await deliver();
    pauses.push((await queue(chat)).due_at.getTime() - clock.now().getTime());
  }
  assert.deepEqual(pauses.slice(0, 3), [90_000, untilDate, 24 * 3_600_000]);
  assert.ok((pauses[3] ?? 0) >= 4_000);
});

test('events of a chat arrive in order, each once, with two engines and a receiver that often fails', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const some = chats(12);
  const rounds = Array.from({ length: 6 }, () => some).flat();
  const order = new Map<string, string[]>();
  for (const [index, id] of (await hook.announce(...rounds)).entries()) {
    const chat = rounds[index] ?? '';
    order.set(chat, [...(order.get(chat) ?? []), id]);
  }
  const arrived = new Map<string, string[]>();
  let calls = 0;
  receiver.behave((delivery, response) => {
    calls += 1;
    if (calls % 4 === 0) return answerWith(500)(delivery, response);
    const chat = delivery.body.payload.chat.uuid;
    arrived.set(chat, [...(arrived.get(chat) ?? []), String(delivery.headers['webhook-id'])]);
    answerWith(200)(delivery, response);
  });
  const left = async () => {
    const [row] =
      await sql`select sum(waiting)::int as left from event_queues where endpoint_id = ${hook.endpointId}`;
    return row?.left;
  };
  while ((await left()) > 0) {
    await deliver(context, { ...context });
    clock.advance(10 * 60_000);
  }
  assert.deepEqual(arrived, order);
});

test('a chat whose event fails does not delay other chats', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const [broken = '', fine = ''] = chats(2);
  receiver.behave((delivery, response) =>
    answerWith(delivery.body.payload.chat.uuid === broken ? 500 : 200)(delivery, response),
  );
  const [, , third = '', fourth = ''] = await hook.announce(broken, fine, broken, fine);
  await deliver();
  assert.equal((await event(fourth))?.state, 'DELIVERED');
  assert.deepEqual(await event(third), { state: 'PENDING', attempts: 0, finished_at: null });
  assert.equal((await queue(broken)).waiting, 2);
});

test('an endpoint that never answers does not slow others', async (t) => {
  const [hanging, fine] = [await startReceiver(t), await startReceiver(t)];
  const held: Parameters<Behaviour>[1][] = [];
  hanging.behave((_, response) => held.push(response));
  const [slow, quick] = [await webhook(hanging.url), await webhook(fine.url)];
  await slow.announce(...chats(300));
  const engine = startWebhooks(context);
  await hanging.received(1);
  await quick.announce(...chats(50));
  engine.wake();
  await fine.received(50);
  const stopped = engine.stop();
  // The requests that the receiver holds open would otherwise last until the calls' own timeout.
  const release = setInterval(() => {
    for (const response of held.splice(0)) response.destroy();
  });
  await stopped;
  clearInterval(release);
  assert.equal(fine.deliveries.length, 50);
});

test('an endpoint that always fails has few calls running at once', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  await sql`update endpoints set failing_since = ${clock.now()} where id = ${hook.endpointId}`;
  await hook.announce(...chats(100));
  receiver.behave(answerWith(500));
  let underWay = 0;
  let most = 0;
  const full = Promise.withResolvers<void>();
  const request: Context['outbound']['request'] = async (call) => {
    underWay += 1;
    most = Math.max(most, underWay);
    if (most === 16) full.resolve();
    await full.promise;
    const answer = await context.outbound.request(call);
    underWay -= 1;
    return answer;
  };
  await deliver({ ...context, outbound: { ...context.outbound, request } });
  assert.equal(receiver.deliveries.length, 100);
  assert.equal(most, 16);
});

test("a dead worker's call is repeated under the same id, and its late result changes nothing", async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const chat = context.newId();
  const [id = ''] = await hook.announce(chat);
  const claim = () => ({
    endpointId: hook.endpointId,
    lease: context.newId(),
    leaseUntil: new Date(clock.now().getTime() + 20_000),
  });
  const dead = claim();
  assert.equal(await claimQueues(sql, dead, 1, clock.now()), 1);
  const called = await claimedEvents(sql, dead, 16);
  assert.deepEqual(
    called.map((claimed) => claimed.id),
    [id],
  );

  clock.advance(19_999);
  assert.equal(await claimQueues(sql, claim(), 1, clock.now()), 0);
  clock.advance(1);
  await deliver();
  assert.deepEqual(ids(receiver.deliveries), [id]);

  const late = { ...attempt(hook, chat, id, dead.lease), state: 'FAILED' as const };
  assert.deepEqual([...(await recordAttempts(sql, [late], clock.now()))], []);
  assert.equal((await event(id))?.state, 'DELIVERED');
  assert.equal((await attemptsOf(id)).length, 1);
  assert.equal((await queue(chat)).waiting, 0);
});

test('a worker that dies within a chat causes one repeated event, and its late result changes nothing', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const chat = context.newId();
  const [first = '', second = '', third = ''] = await hook.announce(chat, chat, chat);
  let answerLate = () => {};
  receiver.behave((delivery, response) => {
    if (receiver.deliveries.length !== 2) return answerWith(200)(delivery, response);
    answerLate = () => answerWith(410)(delivery, response);
  });
  const worker = severable(sql);
  const dying = startWebhooks({ ...context, sql: worker.sql });
  await receiver.received(2);
  worker.cut();
  clock.advance(leaseMs);
  await deliver();
  assert.deepEqual(ids(receiver.deliveries), [first, second, second, third]);
  worker.mend();
  answerLate();
  await dying.stop();
  assert.equal((await event(second))?.state, 'DELIVERED');
  assert.equal((await attemptsOf(second)).length, 1);
  assert.equal((await queue(chat)).waiting, 0);
});

const attempt = (hook: Webhook, chat: string, id: string, lease: string): RecordRow => ({
  endpoint_id: hook.endpointId,
  chat_id: chat,
  lease,
  next_lease: null,
  due_at: clock.now(),
  project_id: hook.projectId,
  event_id: id,
  state: 'DELIVERED',
  attempt_id: context.newId(),
  started_at: clock.now(),
  duration_ms: 1,
  status: 200,
  error: null,
  answer: '',
});

/** A chat with one event, leased to a worker that has delivered it. */
async function delivered() {
  const hook = await webhook('https://crm.test/');
  const chat = context.newId();
  const [id = ''] = await hook.announce(chat);
  const lease = context.newId();
  await claimQueues(sql, { endpointId: hook.endpointId, lease, leaseUntil: clock.now() }, 1, clock.now());
  const row = attempt(hook, chat, id, lease);
  const waits = async () =>
    [...(await sql<{ waiting: number }[]>`select waiting from event_queues where chat_id = ${chat}`)].map(
      ({ waiting }) => waiting,
    );
  return { hook, chat, row, waits };
}

test('an attempt whose lease was lost counts as none beside the attempt that replaced it', async () => {
  const { hook, chat, row } = await delivered();
  const lost = attempt(hook, chat, row.event_id, context.newId());
  const written = await recordAttempts(sql, [lost, row], clock.now());
  assert.deepEqual([...written], [row.attempt_id]);
});

test('a chat’s queue is deleted with its last event, and created again with the next', async () => {
  const { hook, chat, row, waits } = await delivered();
  assert.deepEqual([...(await recordAttempts(sql, [row], clock.now()))], [row.attempt_id]);
  assert.deepEqual(await waits(), []);
  await hook.announce(chat);
  assert.deepEqual(await waits(), [1]);
  assert.deepEqual([...(await recordAttempts(sql, [row], clock.now()))], []);
  assert.deepEqual(await waits(), [1]);
});

test(
  'an event that is written while its chat’s queue is deleted waits in a new queue',
  twoSessions,
  async () => {
    const { hook, chat, row, waits } = await delivered();
    let written: Promise<unknown> = Promise.resolve();
    await sql.begin(async (worker) => {
      await recordAttempts(worker, [row], clock.now());
      written = hook.announce(chat);
      await somebodyWaits(sql);
    });
    await written;
    assert.deepEqual(await waits(), [1]);
  },
);

test('a queue is not deleted while an event is being added', twoSessions, async () => {
  const { hook, chat, row, waits } = await delivered();
  let recorded: Promise<unknown> = Promise.resolve();
  const event = {
    type: 'message_created' as const,
    projectId: hook.projectId,
    chatId: chat,
    platform: 'Widget',
    payload: samplePayload(chat),
  };
  await sql.begin(async (writer) => {
    await recordEvents(writer, [event], clock.now(), context.newId);
    recorded = recordAttempts(sql, [row], clock.now());
    await somebodyWaits(sql);
  });
  await recorded;
  assert.deepEqual(await waits(), [1]);
});

test('queues that come and go under concurrent writers and workers count every event', async () => {
  const hook = await webhook('https://crm.test/');
  const { endpointId } = hook;
  const some = chats(3);
  let isWriting = true;
  const work = async () => {
    for (;;) {
      const isLast = !isWriting;
      const lease = context.newId();
      const claim = { endpointId, lease, leaseUntil: new Date(clock.now().getTime() + leaseMs) };
      const count = await claimQueues(sql, claim, 2, clock.now());
      const events = await claimedEvents(sql, claim, 1);
      const rows = events.map(({ chat_id, id }) => attempt(hook, chat_id, id, lease));
      if (rows.length > 0) await recordAttempts(sql, rows, clock.now());
      if (isLast && count === 0) return;
    }
  };
  const write = async () => {
    for (let round = 0; round < 40; round += 1) await hook.announce(...some);
  };
  const workers = Promise.all([work(), work()]);
  await Promise.all([write(), write()]);
  isWriting = false;
  await workers;
  const [left] = await sql`
    select (select count(*)::int from event_queues where endpoint_id = ${endpointId}) as queues,
      (select count(*)::int from events where endpoint_id = ${endpointId} and state = 'PENDING') as waiting,
      (select count(*)::int from events where endpoint_id = ${endpointId} and state = 'DELIVERED') as delivered`;
  assert.deepEqual(left, { queues: 0, waiting: 0, delivered: 240 });
});

test('an address whose name now resolves to an internal address is not called', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url.replace('127.0.0.1', 'crm.example'));
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  const outbound = createOutbound({ allow: [], log: context.log, lookup });
  t.after(() => outbound.close());
  const [id = ''] = await hook.announce(context.newId());
  await deliver({ ...context, outbound });
  const [attempt] = await attemptsOf(id);
  assert.equal(attempt?.status, null);
  assert.match(attempt?.error, /public internet/);
  assert.equal(receiver.deliveries.length, 0);
});

test('stopping waits for the running call, records its result and leaves the rest of the chat', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  let answer = () => {};
  receiver.behave((delivery, response) => {
    if (receiver.deliveries.length > 1) return answerWith(200)(delivery, response);
    answer = () => answerWith(200)(delivery, response);
  });
  const chat = context.newId();
  const written = await hook.announce(...Array<string>(10).fill(chat));
  const engine = startWebhooks(context);
  await receiver.received(1);
  const stopped = engine.stop();
  answer();
  await stopped;
  // A claim that was running when the engine was stopped may have added one more.
  const called = receiver.deliveries.length;
  assert.ok(called <= 2, `${called} calls`);
  const states = await Promise.all(written.map(event));
  assert.equal(states.filter((one) => one?.state === 'DELIVERED').length, called);
  assert.deepEqual(await queue(chat), { waiting: 10 - called, due_at: clock.now(), lease: null });
});

test('a result is kept while the database is away, and written when it is back', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const worker = severable(sql);
  receiver.behave((delivery, response) => {
    worker.cut();
    answerWith(200)(delivery, response);
  });
  const chat = context.newId();
  const [id = ''] = await hook.announce(chat);
  const refusals = Promise.withResolvers<void>();
  const log = Object.assign(Object.create(context.log), { warn: () => refusals.resolve() });
  const engine = startWebhooks({ ...context, sql: worker.sql, log });
  await receiver.received(1);
  await refusals.promise;
  worker.mend();
  await engine.stop();
  assert.equal((await event(id))?.state, 'DELIVERED');
  assert.equal(receiver.deliveries.length, 1);
});

test('an event that is written while its chat is being delivered is delivered too', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const chat = context.newId();
  const written: string[] = [];
  receiver.behave(async (delivery, response) => {
    if (receiver.deliveries.length < 5) written.push(...(await hook.announce(chat)));
    answerWith(200)(delivery, response);
  });
  written.push(...(await hook.announce(chat)));
  await deliver();
  assert.deepEqual(ids(receiver.deliveries), written);
  assert.equal(written.length, 5);
});

test('writers and two engines at the same chats lose nothing, repeat nothing and keep the order', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const some = chats(10);
  const engines = [startWebhooks(context), startWebhooks(context)];
  const order: string[][] = some.map(() => []);
  const write = async (round: number): Promise<void> => {
    const mine = round % 2 === 0 ? some : some.toReversed();
    await hook.announce(...mine);
    for (const engine of engines) engine.wake();
  };
  for (let round = 0; round < 30; round += 5) {
    await Promise.all(Array.from({ length: 5 }, (_, index) => write(round + index)));
  }
  await receiver.received(300);
  await Promise.all(engines.map((engine) => engine.stop()));
  await deliver();
  for (const delivery of receiver.deliveries) {
    order[some.indexOf(delivery.body.payload.chat.uuid)]?.push(String(delivery.headers['webhook-id']));
  }
  for (const [index, chat] of some.entries()) {
    const written = await sql`select id from events where chat_id = ${chat} order by seq`;
    assert.deepEqual(
      order[index],
      written.map(({ id }) => id),
    );
  }
  assert.equal(receiver.deliveries.length, 300);
});

test('only endpoints with waiting events are due, each at the time of its first chat', async (t) => {
  const receiver = await startReceiver(t);
  const [one, two, disabled] = [
    await webhook(receiver.url),
    await webhook(receiver.url),
    await webhook(receiver.url),
  ];
  await webhook(receiver.url);
  const begun = clock.now();
  await one.announce(...chats(3));
  await disabled.announce(...chats(3));
  clock.advance(1_000);
  await one.announce(...chats(3));
  await two.announce(...chats(3));
  await sql`update endpoints set disabled_at = ${clock.now()} where id = ${disabled.endpointId}`;
  const due = await dueEndpoints(sql);
  assert.deepEqual(
    new Map(due.map(({ key, dueAt }) => [key, dueAt])),
    new Map([
      [one.endpointId, begun],
      [two.endpointId, clock.now()],
    ]),
  );
  const owners =
    await sql`select project_id from endpoints where id in (${one.endpointId}, ${two.endpointId})`;
  assert.deepEqual(
    new Set(due.map(({ owner }) => owner)),
    new Set(owners.map(({ project_id }) => project_id)),
  );
});
