import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import {
  claimOne,
  everybody,
  never,
  planAll,
  problemsOf,
  recipientsOf,
  seedClients,
  seedMailing,
  startScene,
  stateOf,
} from '../../../test/planning-scene.ts';
import { workOn } from './engine.ts';
import { noteFailure } from './failure.ts';
import { takeStep } from './run.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });

let project: string;
let profiles: string[];

beforeEach(async () => {
  ({ project, profiles } = await seedClients(sql, 3));
});

const addMailing = () => seedMailing(context, project, { filter_chats: everybody });

const setProgress = (id: string, progress: Record<string, number>) =>
  sql`update mailings set progress = progress || ${sql.json(progress)} where id = ${id}`;

/** The next step fails, after any pause of the last failure. */
async function fail(error: Error): Promise<void> {
  clock.advance(100_000);
  const held = await claimOne(context);
  assert.ok(held);
  await noteFailure(context, held, error, never);
}

async function step(): Promise<void> {
  clock.advance(100_000);
  const held = await claimOne(context);
  assert.ok(held && (await takeStep(context, held, never)));
}

const timeout = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
const broken = new Error('this cannot be');

test('a statement that the database has cancelled parks no recipient, however often', async () => {
  const id = await addMailing();
  await step();
  for (let tries = 1; tries <= 20; tries += 1) await fail(timeout);
  const { state, progress } = await stateOf(context, id);
  assert.deepEqual([state, progress.tries, progress.parked], ['in_process', 20, undefined]);
  clock.advance(100_000);
  await planAll(context);
  assert.deepEqual(await recipientsOf(context, id), profiles);
  assert.deepEqual(await problemsOf(context, id), []);
});

test('the eighth failure gives the mailing up: queued messages are taken back, and the reason stays', async () => {
  const id = await addMailing();
  clock.advance(100_000);
  await planAll(context);
  assert.equal((await stateOf(context, id)).stage, 'sending');
  for (let tries = 1; tries < 8; tries += 1) await fail(broken);
  assert.equal((await stateOf(context, id)).state, 'in_process');
  await fail(broken);
  const givenUpAt = clock.now();
  assert.deepEqual(await recipientsOf(context, id), profiles);
  clock.advance(100_000);
  await planAll(context);
  assert.deepEqual(await recipientsOf(context, id, 'CANCELLED'), profiles);
  const [row] = await sql`select state, stage, state_detail, completed_at from mailings where id = ${id}`;
  assert.deepEqual(row, {
    state: 'error',
    stage: null,
    state_detail: 'The mailing failed again and again; the log says why.',
    completed_at: givenUpAt,
  });
});

test('a recipient who cannot be planned is parked at exactly the third failure', async () => {
  const id = await addMailing();
  await step();
  await setProgress(id, { at_once: 1 });
  for (let parked = 1; parked <= 2; parked += 1) {
    for (let tries = 1; tries <= 2; tries += 1) await fail(broken);
    assert.equal((await problemsOf(context, id)).length, parked - 1);
    await fail(broken);
    await setProgress(id, { at_once: 1 });
  }
  const reason = 'An unexpected error kept this recipient from being planned.';
  assert.deepEqual(
    await problemsOf(context, id),
    profiles.slice(0, 2).map((profile, index) => [index + 1, profile, reason]),
  );
});

test('a stored filter that cannot be read ends the mailing at once, with the reason', async () => {
  const id = await seedMailing(context, project, { filter_chats: { all: [{ type: 'attribute', v: null }] } });
  for (let steps = 0; steps < 2; steps += 1) {
    const held = await claimOne(context);
    if (held) await workOn(context, held, never);
  }
  const { state, state_detail, progress } = await stateOf(context, id);
  assert.deepEqual(
    [state, state_detail, progress.tries],
    ['error', 'The filter cannot be read: all.0: This field may not be null. Ask with "__isnull".', 0],
  );
});

test('a mailing ends although no recipient can be parked', async () => {
  const id = await addMailing();
  await step();
  await setProgress(id, { at_once: 1 });
  await sql`alter table mailing_problems rename to mailing_problems_away`;
  try {
    for (let tries = 1; tries < 8; tries += 1) {
      await fail(broken);
      assert.equal((await stateOf(context, id)).progress.tries, tries);
    }
    await fail(broken);
  } finally {
    await sql`alter table mailing_problems_away rename to mailing_problems`;
  }
  const { state, state_detail } = await stateOf(context, id);
  assert.deepEqual([state, state_detail], ['error', 'The mailing failed again and again; the log says why.']);
});

test('twenty recipients are parked, and then the mailing fails', async () => {
  for (const parked of [19, 20]) {
    const id = await addMailing();
    await step();
    await setProgress(id, { at_once: 1, parked });
    for (let tries = 1; tries <= 3; tries += 1) await fail(broken);
    assert.equal((await stateOf(context, id)).progress.parked, 20);
    assert.equal((await problemsOf(context, id)).length, parked === 19 ? 1 : 0);
    await sql`update mailings set due_at = null`;
  }
});
