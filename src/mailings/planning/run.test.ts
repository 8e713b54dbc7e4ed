import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import {
  claimOne,
  everybody,
  never,
  planAll,
  recipientsOf,
  retireMailings,
  seedClients,
  seedMailing,
  sendSome,
  startScene,
  stateOf,
  stopMailing,
  sumsOf,
} from '../../../test/planning-scene.ts';
import { twoSessions } from '../../../test/waiting.ts';
import { completeRun, type LeasedMailing } from '../planner-store.ts';
import { workOn } from './engine.ts';
import { takeStep } from './run.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });
const { project, profiles } = await seedClients(sql, 5);

const addMailing = (seed: Parameters<typeof seedMailing>[2] = {}) =>
  seedMailing(context, project, { filter_chats: everybody, ...seed });

async function steps(count: number): Promise<LeasedMailing> {
  let held = await claimOne(context);
  for (let step = 0; step < count && held; step += 1) held = await takeStep(context, held, never);
  assert.ok(held);
  return held;
}

const second = 1_000;
const day = 86_400 * second;

async function sendAndComplete(id: string): Promise<void> {
  await planAll(context);
  await sendSome(context, id);
  clock.advance(second);
  await planAll(context);
}

test('a draft never starts, and a planned mailing not before its moment', async () => {
  const draft = await addMailing({ dueAt: null });
  const later = await addMailing({ dueAt: new Date(clock.now().getTime() + day) });
  await planAll(context);
  assert.equal((await stateOf(context, later)).state, 'planned');
  clock.advance(day);
  await planAll(context);
  assert.equal((await stateOf(context, later)).state, 'in_process');
  const { state, run } = await stateOf(context, draft);
  assert.deepEqual([state, run], ['planned', 0]);
});

test('a run without recipients is completed at once, and says so', async () => {
  const id = await addMailing({ filter_chats: { any: [] } });
  await planAll(context);
  const { state, state_detail } = await stateOf(context, id);
  assert.deepEqual([state, state_detail], ['completed', 'Nobody in the audience can be written to.']);
});

test('ten years of a schedule: every moment has one run, and every client one message of each', async () => {
  const { clock, ...rest } = { ...context, clock: manualClock(new Date('2026-12-31T23:00:00Z')) };
  const simulated = { ...rest, clock };
  const id = await seedMailing(simulated, project, {
    filter_chats: everybody,
    regular_cron: '30 4 1 * *',
    dueAt: new Date('2027-01-01T04:30:00Z'),
  });
  const begun: string[] = [];
  for (let month = 0; month < 120; month += 1) {
    const { due_at, state } = await stateOf(simulated, id);
    assert.ok(due_at && state === 'planned');
    begun.push(due_at.toISOString());
    clock.advance(due_at.getTime() - clock.now().getTime() - 1);
    assert.equal(await claimOne(simulated), undefined);
    clock.advance(1);
    await planAll(simulated);
    await sendSome(simulated, id);
    clock.advance(second);
    await planAll(simulated);
  }
  assert.equal(new Set(begun).size, 120);
  assert.equal(begun[0], '2027-01-01T04:30:00.000Z');
  assert.equal(begun.at(-1), '2036-12-01T04:30:00.000Z');
  const runs = await sql`
    select mailing_run, count(*)::int as messages, count(distinct chat_id)::int as chats
    from messages where mailing_id = ${id} group by mailing_run`;
  assert.equal(runs.length, 120);
  assert.ok(runs.every(({ messages, chats }) => messages === profiles.length && chats === profiles.length));
  const noted = await sql`select run, planned from mailing_runs where mailing_id = ${id} order by run`;
  assert.deepEqual([noted.length, noted[0]?.run, noted.at(-1)?.run], [100, 21, 120]);
  assert.ok(noted.every(({ run, planned }) => planned === (run - 1) * profiles.length));
});

test('a missed run starts once, late', async () => {
  const id = await addMailing({ regular_cron: '0 12 * * *' });
  clock.advance(10 * day + 3_600 * second);
  await planAll(context);
  // The run takes longer than the schedule's pause, too. Moments that it misses meanwhile are skipped.
  clock.advance(3 * day);
  await sendAndComplete(id);
  const { state, run, due_at } = await stateOf(context, id);
  assert.deepEqual([state, run], ['planned', 1]);
  assert.ok(due_at && due_at > clock.now() && due_at.getTime() - clock.now().getTime() <= day);
  await planAll(context);
  assert.equal((await stateOf(context, id)).run, 1);
});

test('a stop holds at every stage: no message keeps waiting, and sent ones count as sent', async () => {
  for (let taken = 0; taken <= 3; taken += 1) {
    const id = await addMailing();
    const held = await steps(taken);
    if (taken === 3) {
      assert.equal(held.stage, 'sending');
      await sendSome(context, id, 2);
    }
    assert.equal(await stopMailing(context, id), true);
    assert.equal(await takeStep(context, held, never), undefined);
    await planAll(context);
    const { state, stage, due_at } = await stateOf(context, id);
    assert.deepEqual([state, stage, due_at], ['stopped', null, null], `after ${taken} steps`);
    assert.deepEqual(await recipientsOf(context, id), []);
    const [planned = 0, sent = 0, undelivered, cancelled = 0] = await sumsOf(context, id);
    assert.deepEqual([planned, undelivered], [sent + cancelled, 0]);
    assert.equal(sent, taken === 3 ? 2 : 0);
    assert.equal(planned, taken < 2 ? 0 : 5);
  }
});

test('a retry that comes back after the stop is taken back too', async () => {
  const id = await addMailing();
  await steps(3);
  await sql`update messages set state = 'IN_PROCESS' where mailing_id = ${id} and id = (select id from messages where mailing_id = ${id} order by id limit 1)`;
  await stopMailing(context, id);
  await planAll(context);
  assert.equal((await stateOf(context, id)).stage, 'stopping');
  await sql`update messages set state = 'PENDING' where mailing_id = ${id} and state = 'IN_PROCESS'`;
  clock.advance(2 * second);
  await planAll(context);
  assert.equal((await stateOf(context, id)).stage, null);
  assert.deepEqual(await sumsOf(context, id), [5, 0, 0, 5]);
});

test('a stopped mailing that waits for a call’s end is checked ever more rarely', async () => {
  const id = await addMailing();
  await steps(3);
  await sql`update messages set state = 'IN_PROCESS' where mailing_id = ${id}`;
  await stopMailing(context, id);
  const pauses: number[] = [];
  for (let look = 0; look < 11; look += 1) {
    await planAll(context);
    const pause = ((await stateOf(context, id)).due_at?.getTime() ?? 0) - clock.now().getTime();
    pauses.push(pause / second);
    clock.advance(pause);
  }
  assert.deepEqual(pauses, [2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
});

test('a run does not end before its last message', async () => {
  const id = await addMailing();
  const held = await steps(3);
  await sendSome(context, id, 4);
  const now = clock.now();
  assert.equal(await completeRun(sql, held, { now, nextAt: null, progress: {}, detail: '' }), undefined);
  await sendSome(context, id);
  assert.equal(
    (await completeRun(sql, held, { now, nextAt: null, progress: {}, detail: '' }))?.state,
    'completed',
  );
});

test('of a concurrent stop and completion one wins, and it stays', twoSessions, async () => {
  const ends = new Set<string>();
  for (let round = 0; round < 20; round += 1) {
    const id = await addMailing();
    const held = await steps(3);
    await sendSome(context, id);
    const [, wasStopped] = await Promise.all([
      takeStep(context, held, never),
      round % 2 === 0 ? stopMailing(context, id) : sql`select 1`.then(() => stopMailing(context, id)),
    ]);
    await planAll(context);
    const { state, due_at } = await stateOf(context, id);
    assert.deepEqual([state, due_at], [wasStopped ? 'stopped' : 'completed', null]);
    ends.add(state);
    await retireMailings(context);
  }
  assert.ok(ends.size > 0);
});

test('a failing step is retried later and later, until the mailing is given up and says so', async () => {
  const { project: crowd } = await seedClients(sql, 25);
  const id = await seedMailing(context, crowd, { filter_chats: everybody, regular_cron: '0 12 * * *' });
  await sql.unsafe(`
    create function spoil() returns trigger language plpgsql as $$ begin raise exception 'spoilt'; end $$;
    create trigger spoil before insert on mailing_counts for each row execute function spoil()`);
  let looks = 0;
  for (; looks < 600 && (await stateOf(context, id)).state !== 'error'; looks += 1) {
    const held = await claimOne(context);
    if (held) await workOn(context, held, never);
    else clock.advance(10 * second);
  }
  await sql.unsafe('drop trigger spoil on mailing_counts; drop function spoil');
  const { state, state_detail } = await stateOf(context, id);
  assert.equal(state, 'error');
  assert.match(state_detail, /again and again/);
  await planAll(context);
  assert.deepEqual([(await stateOf(context, id)).due_at, await recipientsOf(context, id)], [null, []]);
});
