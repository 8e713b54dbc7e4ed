import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answerWith, startMessenger as startReceiver } from '../../test/stand-ins/messenger.ts';
import { startDeliveries } from '../../test/webhook-harness.ts';
import { NotFound } from '../lib/problem.ts';
import { listAttempts } from './attempts.ts';
import { replayEvent, replayRange } from './replay.ts';

const { context, clock, webhook, deliver, queue, event } = await startDeliveries({ after });

const ids = (deliveries: { headers: Record<string, unknown> }[]) =>
  deliveries.map(({ headers }) => headers['webhook-id']);

test('a replayed event is sent again under its id with its body, and every attempt stays in the log', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const [id = ''] = await hook.announce(context.newId());
  await deliver();
  clock.advance(86_400_000);
  receiver.behave(answerWith(200, {}, 'again'));
  await replayEvent(context, hook.projectId, id, hook.endpointId);
  await deliver();
  assert.deepEqual(ids(receiver.deliveries), [id, id]);
  assert.equal(receiver.deliveries[0]?.raw, receiver.deliveries[1]?.raw);
  const attempts = await listAttempts(context, hook.projectId, id, hook.endpointId);
  assert.deepEqual(
    attempts.map(({ status, answer, started_at }) => [status, answer, started_at]),
    [
      [200, 'again', clock.now()],
      [200, '{}', new Date(clock.now().getTime() - 86_400_000)],
    ],
  );
  assert.equal((await event(id))?.state, 'DELIVERED');
});

test('replayed events go before what waits in their chat, in their own order', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const chat = context.newId();
  const written = await hook.announce(chat, chat, chat);
  await deliver();
  receiver.behave(answerWith(500));
  const [last = ''] = await hook.announce(chat);
  await deliver();
  receiver.behave(answerWith(200));
  const [first = '', second = ''] = written;
  await replayEvent(context, hook.projectId, second, hook.endpointId);
  await replayEvent(context, hook.projectId, first, hook.endpointId);
  assert.equal((await queue(chat)).waiting, 3);
  await deliver();
  assert.deepEqual(ids(receiver.deliveries).slice(4), [first, second, last]);
  assert.equal((await queue(chat)).waiting, 0);
});

test('replaying what still waits tries it at once, and counts it once', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const chat = context.newId();
  receiver.behave(answerWith(500));
  const [id = ''] = await hook.announce(chat);
  await deliver();
  receiver.behave(answerWith(200));
  await replayEvent(context, hook.projectId, id, hook.endpointId);
  assert.equal((await queue(chat)).waiting, 1);
  await deliver();
  assert.equal(receiver.deliveries.length, 2);
  assert.equal((await event(id))?.state, 'DELIVERED');
});

test('a given-up event begins its schedule anew when it is replayed', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const chat = context.newId();
  receiver.behave(answerWith(500));
  const [id = ''] = await hook.announce(chat);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await deliver();
    clock.advance((await queue(chat)).due_at.getTime() - clock.now().getTime());
  }
  assert.equal((await event(id))?.state, 'FAILED');
  await replayEvent(context, hook.projectId, id, hook.endpointId);
  await deliver();
  assert.deepEqual(await event(id), { state: 'PENDING', attempts: 1, finished_at: null });
  const pause = (await queue(chat)).due_at.getTime() - clock.now().getTime();
  assert.ok(pause >= 4_000 && pause <= 6_000, `${pause}`);
});

test('a range is replayed from its first moment up to its last, however many events it has', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const other = await webhook(receiver.url);
  const chats = Array.from({ length: 1_100 }, context.newId);
  const before = await hook.announce(context.newId());
  clock.advance(1_000);
  const from = clock.now();
  const inside = await hook.announce(...chats);
  const others = await other.announce(context.newId());
  clock.advance(1_000);
  const to = clock.now();
  const afterwards = await hook.announce(context.newId());
  await deliver();
  assert.equal(receiver.deliveries.length, before.length + inside.length + others.length + afterwards.length);
  const replayed = await replayRange(context, hook.projectId, hook.endpointId, from, to);
  await deliver();
  assert.equal(replayed, inside.length);
  const again = ids(receiver.deliveries).slice(
    before.length + inside.length + others.length + afterwards.length,
  );
  assert.deepEqual(new Set(again), new Set(inside));
  assert.equal(again.length, inside.length);
});

test('an unknown event, and another project’s, is not found', async (t) => {
  const receiver = await startReceiver(t);
  const [mine, theirs] = [await webhook(receiver.url), await webhook(receiver.url)];
  const [id = ''] = await theirs.announce(context.newId());
  const replay = (projectId: string, endpointId: string, eventId = id) =>
    replayEvent(context, projectId, eventId, endpointId);
  await assert.rejects(replay(mine.projectId, theirs.endpointId), NotFound);
  await assert.rejects(replay(mine.projectId, mine.endpointId), NotFound);
  await assert.rejects(replay(theirs.projectId, theirs.endpointId, context.newId()), NotFound);
  await deliver();
  assert.equal(receiver.deliveries.length, 1);
  assert.deepEqual([...(await listAttempts(context, mine.projectId, id, theirs.endpointId))], []);
});
