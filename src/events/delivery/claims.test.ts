import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';
import { startDeliveries } from '../../../test/webhook-harness.ts';
import type { Sql } from '../../platform/database/database.ts';
import { claimedEvents, claimQueues, type RecordRow, recordAttempts, renewQueues } from '../queue-store.ts';

const { context, clock, webhook } = await startDeliveries({ after });
const { sql, newId } = context;

const chats = (count: number): string[] => Array.from({ length: count }, newId);

/** Chats with an event each, in the order in which they became due. */
async function scene(count: number) {
  const { endpointId, projectId, announce } = await webhook('https://crm.test/hook');
  const ids = chats(count);
  for (const chat of ids.toReversed()) {
    clock.advance(1_000);
    await announce(chat);
  }
  const claim = async (on: Sql, free: number): Promise<RecordRow[]> => {
    const leased = { endpointId, lease: newId(), leaseUntil: new Date(clock.now().getTime() + 20_000) };
    await claimQueues(on, leased, free, clock.now());
    const events = await claimedEvents(on, leased, 1);
    return events.map(({ chat_id, id }) => ({
      endpoint_id: endpointId,
      chat_id,
      lease: leased.lease,
      next_lease: null,
      due_at: clock.now(),
      project_id: projectId,
      event_id: id,
      state: 'DELIVERED',
      attempt_id: newId(),
      started_at: clock.now(),
      duration_ms: 1,
      status: 200,
      error: null,
      answer: '',
    }));
  };
  return { endpointId, inOrder: ids.toReversed(), claim };
}

const chatsOf = (rows: RecordRow[]): string[] => rows.map(({ chat_id }) => chat_id).toSorted();

test('the chats that have waited longest are claimed first, up to the number of free places', async () => {
  const { inOrder, claim } = await scene(3);
  for (const chat of inOrder) assert.deepEqual(chatsOf(await claim(sql, 1)), [chat]);
  assert.deepEqual(await claim(sql, 1), []);
});

test('a chat that another worker is claiming is skipped without waiting', twoSessions, async () => {
  const { inOrder, claim } = await scene(3);
  const [first = '', ...others] = inOrder;
  await sql.begin(async (transaction) => {
    assert.deepEqual(chatsOf(await claim(transaction, 1)), [first]);
    assert.deepEqual(chatsOf(await claim(sql, 3)), others.toSorted());
  });
});

test('only the lease holder of a chat renews its lease', async () => {
  const { endpointId, claim } = await scene(1);
  const held = await claim(sql, 1);
  const until = new Date(clock.now().getTime() + 30_000);
  const dueAt = async () =>
    (await sql<{ due_at: Date }[]>`select due_at from event_queues where endpoint_id = ${endpointId}`)[0]
      ?.due_at;
  const before = await dueAt();
  const others = held.map((row) => ({ ...row, lease: newId() }));
  assert.deepEqual(await renewQueues(sql, others, until), []);
  assert.deepEqual(await dueAt(), before);
  assert.deepEqual(await renewQueues(sql, [...others, ...held], until), [{ position: 1 }]);
  assert.deepEqual(await dueAt(), until);
});

test('attempts are recorded in one order of chats, whatever order they ended in', twoSessions, async () => {
  const { endpointId, claim } = await scene(2);
  const rows = (await claim(sql, 2)).toSorted((one, other) => (one.chat_id < other.chat_id ? -1 : 1));
  const [first = '', second = ''] = chatsOf(rows);
  const queue = (chat: string) =>
    sql`select from event_queues where endpoint_id = ${endpointId} and chat_id = ${chat}`;
  let writing: Promise<unknown> = Promise.resolve();
  await sql.begin(async (transaction) => {
    await transaction`${queue(first)} for update`;
    writing = recordAttempts(sql, rows.toReversed(), clock.now());
    await somebodyWaits(sql);
    // A statement that waits for the first has not locked the second yet.
    assert.equal((await sql`${queue(second)} for update skip locked`).length, 1);
  });
  await writing;
  assert.deepEqual(await sql`select from event_queues where endpoint_id = ${endpointId}`, []);
});
