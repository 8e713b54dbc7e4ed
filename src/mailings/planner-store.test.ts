import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { seedMailingMessages } from '../../test/mailing.ts';
import {
  claimOne,
  everybody,
  never,
  planAll,
  problemsOf,
  recipientsOf,
  seedClients,
  seedMailing,
  sendSome,
  startScene,
  stopMailing,
  sumsOf,
} from '../../test/planning-scene.ts';
import { noon, seedChannel, seedChat } from '../../test/seed.ts';
import { somebodyWaits, twoSessions } from '../../test/waiting.ts';
import type { Sql } from '../platform/database/database.ts';
import { claimMailings, commonLane, dueLanes, type LeasedMailing } from './planner-store.ts';
import { takeStep } from './planning/run.ts';
import { takeBackChunk } from './planning/take-back-store.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });
const { project } = await seedClients(sql, 3);

const soon = (ms: number) => new Date(clock.now().getTime() + ms);

const claimIn = (on: Sql, free: number): Promise<LeasedMailing[]> =>
  claimMailings(on, {
    lane: commonLane,
    free,
    lease: context.newId(),
    now: clock.now(),
    leaseUntil: soon(20_000),
  });

const addMailing = (seed: Parameters<typeof seedMailing>[2] = {}) =>
  seedMailing(context, project, { filter_chats: everybody, ...seed });

test('of several due mailings the longest waiting is claimed, and a lane reports its due time', async () => {
  const waits = [];
  for (const ms of [-1_000, -3_000, -2_000]) waits.push(await addMailing({ dueAt: soon(ms) }));
  assert.deepEqual([...(await dueLanes(sql))], [{ key: commonLane, dueAt: soon(-3_000) }]);
  const claimed = [];
  for (const _ of waits) claimed.push(...(await claimIn(sql, 1)));
  assert.deepEqual(
    claimed.map(({ id }) => id),
    [waits[1], waits[2], waits[0]],
  );
});

test('a mailing that another planner is claiming is skipped without waiting', twoSessions, async () => {
  const [first, second] = [await addMailing({ dueAt: soon(-1_000) }), await addMailing()];
  await sql.begin(async (transaction) => {
    assert.deepEqual(
      (await claimIn(transaction, 1)).map(({ id }) => id),
      [first],
    );
    assert.deepEqual(
      (await claimIn(sql, 2)).map(({ id }) => id),
      [second],
    );
  });
});

test('a run begins without the figures of the previous one', async () => {
  const id = await addMailing({
    filter_chats: undefined,
    field: 'EXTERNAL_ID',
    array: ['c0', 'nobody'],
    regular_cron: '* * * * *',
  });
  await planAll(context);
  await sendSome(context, id);
  clock.advance(1_000);
  await planAll(context);
  const told = async () => (await sql`select state_detail, completed_at from mailings where id = ${id}`)[0];
  assert.notDeepEqual(await told(), { state_detail: '', completed_at: null });
  assert.equal((await problemsOf(context, id)).length, 1);

  clock.advance(60_000);
  const held = await claimOne(context);
  assert.ok(held && (await takeStep(context, held, never)));
  assert.deepEqual(await told(), { state_detail: '', completed_at: null });
  assert.deepEqual(await problemsOf(context, id), []);
});

test('a run from the chat center does not wait for operators', async () => {
  const id = await addMailing({ origin: 'chat_center' });
  await planAll(context);
  const rows = await sql`select distinct is_force from messages where mailing_id = ${id}`;
  assert.deepEqual([...rows], [{ is_force: true }]);
});

test('planning wakes the engine that handles its queued messages', async () => {
  const whatsapp = await seedChannel(sql, project, 'Whatsapp');
  await seedChat(sql, project, { channelId: whatsapp, platform: 'Whatsapp' });
  for (const [seed, woken] of [
    [{}, ['sending']],
    [{ content_type: 'NODE', node_id: 1 }, ['running']],
    [{ content_type: 'MIXED', node_id: 1 }, ['sending', 'running']],
    [{ content_type: 'MIXED' }, ['sending']],
  ] as const) {
    const topics: string[] = [];
    const wake = { ...context.wake, wake: (topic: string) => void topics.push(topic) };
    await addMailing(seed);
    await planAll({ ...context, wake });
    assert.deepEqual(topics, woken);
  }
});

/** A mailing whose messages are queued, and another one beside it. The first is stopped and held. */
async function stopped(): Promise<{ held: LeasedMailing; id: string; other: string }> {
  const [id, other] = [await addMailing(), await addMailing()];
  await planAll(context);
  await sql`update mailings set due_at = null where id = ${other}`;
  await stopMailing(context, id);
  const held = await claimOne(context);
  assert.ok(held?.id === id);
  return { held, id, other };
}

test('waiting messages of a stopped mailing are taken back, and none of another one', async () => {
  const { held, id, other } = await stopped();
  const before = await recipientsOf(context, other);
  assert.ok(await takeBackChunk(sql, held, { reason: 'Stopped.', leaseUntil: soon(20_000) }));
  assert.deepEqual(await recipientsOf(context, id), []);
  assert.deepEqual(await recipientsOf(context, other), before);
  assert.deepEqual((await sumsOf(context, other))[3], 0);
});

test('messages are taken back in pieces, and others have their turn at the database between', async () => {
  const { held, id } = await stopped();
  const chat = await seedChat(sql, project, { channelId: await seedChannel(sql, project) });
  await seedMailingMessages(sql, project, id, Array(600).fill({ chat }));
  const [{ started_at }] = await sql<[{ started_at: Date }]>`
    update mailings set started_at = ${noon} where id = ${id} returning started_at`;
  let now: LeasedMailing | undefined = { ...held, started_at };
  while (now && now.stage !== null) now = await takeStep(context, now, never);
  const pieces = await sql<{ messages: number }[]>`
    select count(*)::int as messages from messages
    where mailing_id = ${id} and state = 'CANCELLED' group by xmin::text order by 1`;
  assert.deepEqual(
    pieces.map(({ messages }) => messages),
    [103, 500],
  );
});

test('a planner whose lease is lost takes nothing back', async () => {
  const { held, id } = await stopped();
  const lost = { ...held, lease: context.newId() };
  assert.equal(await takeBackChunk(sql, lost, { reason: 'Stopped.', leaseUntil: soon(20_000) }), undefined);
  assert.ok((await recipientsOf(context, id)).length > 0);
});

test('messages that are claimed for sending at the same moment are not taken back', twoSessions, async () => {
  const { held, id } = await stopped();
  const count = (await recipientsOf(context, id)).length;
  let taking: Promise<unknown> = Promise.resolve();
  await sql.begin(async (transaction) => {
    await transaction`
      update messages set state = 'IN_PROCESS'
      where id = (select id from messages where mailing_id = ${id} order by id limit 1)`;
    taking = takeBackChunk(sql, held, { reason: 'Stopped.', leaseUntil: soon(20_000) });
    await somebodyWaits(sql);
  });
  await taking;
  assert.equal((await recipientsOf(context, id, 'IN_PROCESS')).length, 1);
  assert.equal((await recipientsOf(context, id, 'CANCELLED')).length, count - 1);
});
