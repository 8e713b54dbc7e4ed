import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answerWith, startMessenger as startReceiver } from '../../../../test/stand-ins/messenger.ts';
import { startDeliveries } from '../../../../test/webhook-harness.ts';
import { NotFound } from '../../../platform/problem.ts';
import { findAttempts, type Wanted } from './log-store.ts';
import { countPart, replayEvent, replayPart } from './replay.ts';

const { context, sql, clock, webhook, deliver, queue, event } = await startDeliveries({ after });

type Hook = { projectId: string; endpointId: string };

const replay = ({ projectId, endpointId }: Hook, eventId: string) =>
  replayEvent(context, { projectId, endpointId, eventId });

/** As the console does it: part by part to the end. */
async function inParts(part: typeof replayPart, range: Wanted): Promise<number> {
  let total = 0;
  let after: string | null = null;
  do {
    const done = await part(context, range, after);
    total += done.count;
    after = done.after;
  } while (after !== null);
  return total;
}

const ids = (deliveries: { headers: Record<string, unknown> }[]) =>
  deliveries.map(({ headers }) => headers['webhook-id']);

test('a replayed event is sent again with its id and body, and every attempt stays in the log', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const [id = ''] = await hook.announce(context.newId());
  await deliver();
  clock.advance(86_400_000);
  receiver.behave(answerWith(200, {}, 'again'));
  await replay(hook, id);
  await deliver();
  assert.deepEqual(ids(receiver.deliveries), [id, id]);
  assert.equal(receiver.deliveries[0]?.raw, receiver.deliveries[1]?.raw);
  const attempts = await findAttempts(sql, { ...hook, eventId: id });
  assert.deepEqual(
    attempts.map(({ status, answer, started_at }) => [status, answer, started_at]),
    [
      [200, 'again', clock.now()],
      [200, '{}', new Date(clock.now().getTime() - 86_400_000)],
    ],
  );
  assert.equal((await event(id))?.state, 'DELIVERED');
});

test('replayed events go before the waiting events of their chat, in their own order', async (t) => {
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
  await replay(hook, second);
  await replay(hook, first);
  assert.equal((await queue(chat)).waiting, 3);
  await deliver();
  assert.deepEqual(ids(receiver.deliveries).slice(4), [first, second, last]);
  assert.equal((await queue(chat)).waiting, 0);
});

test('a replay of a waiting event tries it at once, and counts it once', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const chat = context.newId();
  receiver.behave(answerWith(500));
  const [id = ''] = await hook.announce(chat);
  await deliver();
  receiver.behave(answerWith(200));
  await replay(hook, id);
  assert.equal((await queue(chat)).waiting, 1);
  await deliver();
  assert.equal(receiver.deliveries.length, 2);
  assert.equal((await event(id))?.state, 'DELIVERED');
});

test('a given-up event restarts its schedule when it is replayed', async (t) => {
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
  await replay(hook, id);
  await deliver();
  assert.deepEqual(await event(id), { state: 'PENDING', attempts: 1, finished_at: null });
  const pause = (await queue(chat)).due_at.getTime() - clock.now().getTime();
  assert.ok(pause >= 4_000 && pause <= 6_000, `${pause}`);
});

test('a range is replayed from its first to its last time, each event once and in order, however many there are', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const other = await webhook(receiver.url);
  const clients = Array.from({ length: 100 }, context.newId);
  const chats = Array.from({ length: 11 }, () => clients).flat();
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
  const range: Wanted = { ...hook, from, to, type: null, state: null };
  assert.equal(await inParts(countPart, range), inside.length);
  assert.equal(await inParts(replayPart, range), inside.length);
  // A second click while they wait.
  assert.equal(await inParts(replayPart, range), inside.length);
  await deliver();
  const again = ids(receiver.deliveries).slice(
    before.length + inside.length + others.length + afterwards.length,
  );
  assert.equal(again.length, inside.length);
  const inChats = (eventIds: unknown[]) => Map.groupBy(eventIds, (id) => chats[inside.indexOf(String(id))]);
  const arrived = inChats(again);
  for (const [chat, eventIds] of inChats(inside)) assert.deepEqual(arrived.get(chat), eventIds);
});

test('a replay of a range may be limited to failed events, or to one kind', async (t) => {
  const receiver = await startReceiver(t);
  const hook = await webhook(receiver.url);
  const [good = '', bad = ''] = await hook.announce(context.newId(), context.newId());
  await deliver();
  await sql`update events set state = 'FAILED' where id = ${bad}`;
  const range: Wanted = { ...hook, from: new Date(0), to: new Date('2099-01-01'), type: null, state: null };
  assert.equal(await inParts(countPart, { ...range, state: 'FAILED' }), 1);
  assert.equal(await inParts(replayPart, { ...range, state: 'FAILED' }), 1);
  await deliver();
  assert.deepEqual(ids(receiver.deliveries).slice(2), [bad]);
  assert.equal(await inParts(replayPart, { ...range, type: 'session_updated' }), 0);
  assert.equal(await inParts(replayPart, { ...range, type: 'message_created' }), 2);
  await deliver();
  assert.deepEqual(new Set(ids(receiver.deliveries).slice(3)), new Set([good, bad]));
});

test('an unknown event, and another project’s, is not found', async (t) => {
  const receiver = await startReceiver(t);
  const [mine, theirs] = [await webhook(receiver.url), await webhook(receiver.url)];
  const [id = ''] = await theirs.announce(context.newId());
  const [other, gone] = [{ ...theirs, projectId: mine.projectId }, context.newId()];
  await assert.rejects(replay(other, id), NotFound);
  await assert.rejects(replay(mine, id), NotFound);
  await assert.rejects(replay(theirs, gone), NotFound);
  await deliver();
  assert.equal(receiver.deliveries.length, 1);
  assert.deepEqual([...(await findAttempts(sql, { ...other, eventId: id }))], []);
});
