import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import {
  everybody,
  planAll,
  seedClients,
  seedMailing,
  sendSome,
  startScene,
  stateOf,
  sumsOf,
} from '../../../test/planning-scene.ts';
import { seedChannel } from '../../../test/seed.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });

const second = 1_000;
const minute = 60 * second;
const clients = 24;

/** A mailing that must be done in four minutes: about one message every ten seconds. */
async function scene(minutes = 4) {
  const seeded = await seedClients(sql, clients);
  const finishBy = new Date(clock.now().getTime() + minutes * minute);
  const id = await seedMailing(context, seeded.project, { filter_chats: everybody, finish_by: finishBy });
  return { ...seeded, id, finishBy };
}

/** The messages that sending may take now. */
async function handedOver(id: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from messages
    where mailing_id = ${id} and (not is_queued or due_at <= ${clock.now()})`;
  return row.count;
}

/** The planner looks every second. */
async function watchSeconds(seconds: number): Promise<void> {
  for (let n = 0; n < seconds; n += 1) {
    clock.advance(second);
    await planAll(context);
  }
}

/** The messages that were handed over in each minute. */
async function watch(id: string, minutes: number): Promise<number[]> {
  const each: number[] = [];
  for (let n = 0; n < minutes; n += 1) {
    const before = await handedOver(id);
    await watchSeconds(60);
    each.push((await handedOver(id)) - before);
  }
  return each;
}

const isEven = (each: readonly number[], expected: number) =>
  assert.ok(
    each.every((count) => Math.abs(count - expected) <= 1),
    `${each.join(' ')} instead of about ${expected} each`,
  );

test('messages are spread evenly: every minute has as many as the others, or one more or less', async () => {
  const { id } = await scene();
  await planAll(context);
  assert.deepEqual([await handedOver(id), await sumsOf(context, id)], [0, [clients, 0, 0, 0]]);
  const each = await watch(id, 3);
  isEven(each, clients / 3.8);
  await watchSeconds(55);
  assert.equal(await handedOver(id), clients, 'all have had their turn before the moment');
});

test('after the death of every process the rest is spread anew, without a burst', async () => {
  const { id } = await scene();
  await planAll(context);
  await watch(id, 1);
  const before = await handedOver(id);
  clock.advance(minute);
  await planAll(context);
  assert.ok((await handedOver(id)) - before <= 1, 'one at most has its turn at once');
  isEven(await watch(id, 1), (clients - before) / 1.8);
});

test('a channel that pauses gets nothing, and then the rest is spread anew', async () => {
  const { id, channel } = await scene();
  await planAll(context);
  await watch(id, 1);
  const before = await handedOver(id);
  await sql`update channels set state = 'paused' where id = ${channel}`;
  assert.deepEqual(await watch(id, 1), [0]);
  await sql`update channels set state = 'active' where id = ${channel}`;
  isEven(await watch(id, 1), (clients - before) / 1.8);
});

test('a channel that pauses does not hold up the others', async () => {
  const { id, project, chats } = await scene();
  const other = await seedChannel(sql, project);
  await sql`update channels set state = 'paused' where id = ${other}`;
  await sql`update chats set channel_id = ${other} where id = any (${chats.slice(0, 12)})`;
  await planAll(context);
  await watch(id, 3);
  await watchSeconds(55);
  assert.equal(await handedOver(id), 12);
});

test('a client in quiet hours has their turn after them', async () => {
  const { id, project, profiles } = await scene(10);
  const [from, until] = [clock.now().getUTCHours(), clock.now().getUTCHours() + 2];
  await sql`
    update projects set quiet_from = ${`${from}:00`}, quiet_until = ${`${until}:00`} where id = ${project}`;
  await sql`update profiles set timezone = 'Asia/Tokyo' where id = any (${profiles.slice(0, 10)})`;
  await sql`update profiles set timezone = 'Europe/London' where id = any (${profiles.slice(10)})`;
  await planAll(context);
  await watch(id, 3);
  const early = await sql<{ profile_id: string }[]>`
    select profile_id from messages join chats on chats.id = chat_id
    where mailing_id = ${id} and due_at <= ${clock.now()}`;
  assert.ok(early.length > 0);
  assert.ok(early.every(({ profile_id }) => profiles.slice(0, 10).includes(profile_id)));
});

test('at its moment a mailing ends: what was not sent is taken back, and it says so', async () => {
  const { id } = await scene();
  await planAll(context);
  await watch(id, 2);
  await sendSome(context, id, 9);
  clock.advance(2 * minute);
  await planAll(context);
  const { state, stage, state_detail } = await stateOf(context, id);
  assert.deepEqual(
    [state, stage, state_detail],
    ['completed', null, '15 messages were not sent: the mailing had to be done before.'],
  );
  assert.deepEqual(await sumsOf(context, id), [clients, 9, 0, 15]);
  const reasons = await sql`
    select distinct state_detail from messages where mailing_id = ${id} and state = 'CANCELLED'`;
  assert.deepEqual(
    reasons.map((row) => row.state_detail),
    ['The mailing had to be done before the message was sent.'],
  );
});

test('a mailing whose moment came before it could begin ends without a message', async () => {
  const { id } = await scene();
  clock.advance(11 * minute);
  await planAll(context);
  const { state, state_detail } = await stateOf(context, id);
  assert.deepEqual(
    [state, state_detail, await sumsOf(context, id)],
    ['completed', 'The mailing had to be done before it could begin.', [0, 0, 0, 0]],
  );
});

test('a mailing that is done before its moment is completed then', async () => {
  const { id } = await scene();
  await planAll(context);
  await watch(id, 3);
  await watchSeconds(55);
  await sendSome(context, id);
  await watchSeconds(1);
  const { state, state_detail } = await stateOf(context, id);
  assert.deepEqual([state, state_detail], ['completed', '']);
});
