import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { abScene, minute, ofVariant, sample } from '../../../test/ab-scene.ts';
import {
  claimOne,
  everybody,
  never,
  planAll,
  problemsOf,
  seedClients,
  seedMailing,
  sendSome,
  startScene,
  stateOf,
  stopMailing,
  sumsOf,
} from '../../../test/planning-scene.ts';
import { chooseVariant, findDecision } from '../decisions-store.ts';
import type { LeasedMailing } from '../planner-store.ts';
import { takeStep } from './run.ts';

const { context, clock, sql } = await startScene({ after, beforeEach });

const { halves, variant, messagesOf, plannedBy, readSome, sampled, finish } = abScene({ context, clock });

test('everybody gets exactly one variant, by the shares, and the variants add up to the mailing', async () => {
  const { project, profiles } = await seedClients(sql, 200);
  const ab_test = { variants: [variant(30), variant(20)], sample: null };
  const id = await seedMailing(context, project, { filter_chats: everybody, ab_test });
  await planAll(context);
  const messages = await messagesOf(id);
  assert.deepEqual(
    messages.map(({ profile_id }) => profile_id),
    profiles,
  );
  const planned = await plannedBy(project, id, 3);
  assert.deepEqual(
    planned,
    [1, 2, 3].map((of) => ofVariant(messages, of)),
  );
  assert.equal(
    planned.reduce((sum, one) => sum + one),
    200,
  );
  // 50, 30 and 20 of a hundred, each within five standard deviations.
  for (const [index, share] of [0.5, 0.3, 0.2].entries()) {
    const far = 5 * Math.sqrt(200 * share * (1 - share));
    assert.ok(Math.abs((planned[index] ?? 0) - 200 * share) < far, `${planned}`);
  }
  await sendSome(context, id);
  clock.advance(1_000);
  await planAll(context);
  assert.deepEqual(
    [(await stateOf(context, id)).state, await sumsOf(context, id)],
    ['completed', [200, 200, 0, 0]],
  );
});

test('a mailing without a test has no variants', async () => {
  const { project } = await seedClients(sql, 2);
  const id = await seedMailing(context, project, { filter_chats: everybody });
  await planAll(context);
  assert.equal(ofVariant(await messagesOf(id), null), 2);
});

test('the sample is sent, the rest waits, and after the time it gets the winner', async () => {
  const { project, profiles, id } = await sampled(150);
  const first = await messagesOf(id);
  assert.ok(first.length > 30 && first.length < 90, `${first.length}`);
  const [a = 0, b = 0] = await plannedBy(project, id);
  assert.equal(a + b, first.length);
  assert.equal((await stateOf(context, id)).state, 'in_process');

  await readSome(project, id, 2, b);
  clock.advance(59 * minute);
  await planAll(context);
  assert.equal((await messagesOf(id)).length, first.length);
  clock.advance(minute);
  await finish(id);
  const all = await messagesOf(id);
  assert.deepEqual(
    all.map(({ profile_id }) => profile_id),
    profiles,
  );
  const kept = first.map(({ profile_id, variant: drawn }) => [profile_id, drawn]);
  const said = new Map(all.map(({ profile_id, variant: got }) => [profile_id, got]));
  assert.deepEqual(
    kept.map(([profile]) => [profile, said.get(String(profile))]),
    kept,
  );
  assert.deepEqual(await plannedBy(project, id), [a, 150 - a]);
  const decision = await findDecision(sql, project, id);
  assert.deepEqual(
    [decision?.leaders, decision?.variant, decision?.counts],
    [
      [2],
      2,
      [
        { sent: a, reacted: 0 },
        { sent: b, reacted: b },
      ],
    ],
  );
  assert.equal((await stateOf(context, id)).state, 'completed');
});

test('without a difference the rest gets the first of the best, if people said so', async () => {
  const { project, id } = await sampled(40);
  clock.advance(60 * minute);
  await finish(id);
  const [, b = 0] = await plannedBy(project, id);
  const decision = await findDecision(sql, project, id);
  assert.deepEqual([decision?.leaders, decision?.variant], [[1, 2], 1]);
  assert.deepEqual([await plannedBy(project, id), (await messagesOf(id)).length], [[40 - b, b], 40]);
});

test('without a difference the rest waits for a person, who chooses once', async () => {
  const { project, id } = await sampled(40, { ...sample, otherwise: 'ask' });
  const count = (await messagesOf(id)).length;
  clock.advance(60 * minute);
  await planAll(context);
  assert.equal((await findDecision(sql, project, id))?.variant, null);
  assert.deepEqual([(await stateOf(context, id)).due_at, (await messagesOf(id)).length], [null, count]);
  const choice = { variant: 2, author_id: context.newId(), author_name: 'Ann', now: clock.now() };
  const mailing = { projectId: project, mailingId: id };
  assert.equal(await chooseVariant(sql, mailing, choice), true);
  assert.equal(await chooseVariant(sql, mailing, { ...choice, variant: 1 }), false);
  await finish(id);
  assert.deepEqual([(await messagesOf(id)).length, (await stateOf(context, id)).state], [40, 'completed']);
  const decision = await findDecision(sql, project, id);
  assert.deepEqual([decision?.variant, decision?.author_name], [2, 'Ann']);
});

test('a mailing that is stopped while it waits sends nothing more, and nobody can choose for it', async () => {
  const { project, id } = await sampled(40, { ...sample, otherwise: 'ask' });
  const count = (await messagesOf(id)).length;
  clock.advance(60 * minute);
  await planAll(context);
  await stopMailing(context, id);
  const choice = { variant: 2, author_id: context.newId(), author_name: null, now: clock.now() };
  assert.equal(await chooseVariant(sql, { projectId: project, mailingId: id }, choice), false);
  clock.advance(60 * minute);
  await planAll(context);
  assert.deepEqual(
    [(await messagesOf(id)).length, (await stateOf(context, id)).stage, await sumsOf(context, id)],
    [count, null, [count, count, 0, 0]],
  );
});

test('problem lines of a list are noted once, when the rest is planned', async () => {
  const { project } = await seedClients(sql, 30);
  const array = [...Array.from({ length: 30 }, (_, n) => `c${n}`), 'nobody'];
  const id = await seedMailing(context, project, { field: 'EXTERNAL_ID', array, ab_test: halves(sample) });
  await planAll(context);
  assert.deepEqual(await problemsOf(context, id), []);
  const some = (await messagesOf(id)).length;
  assert.ok(some > 0 && some < 30, `${some}`);
  await sendSome(context, id);
  // Who got the sample and left since then was reached.
  await sql`update chats set stopped_at = ${clock.now()} where id in (select chat_id from messages where mailing_id = ${id})`;
  clock.advance(1_000);
  await planAll(context);
  clock.advance(60 * minute);
  await finish(id);
  assert.deepEqual(await problemsOf(context, id), [[31, 'nobody', 'Nobody is known by this.']]);
  assert.equal((await messagesOf(id)).length, 30);
});

/**
 * Each step is one statement that writes. A process that dies before it has done nothing, and one that dies after it
 * leaves the mailing leased with its outcome unknown: here each step is done, done again, and often left like that.
 */
async function interrupted(id: string, isDone: () => Promise<boolean>): Promise<number> {
  let steps = 0;
  for (let place = 0; !(await isDone()); place += 1) {
    assert.ok(place < 400, 'the mailing does not end');
    await sendSome(context, id);
    let next = await claimOne(context);
    while (next) {
      const stale: LeasedMailing = next;
      next = await takeStep(context, stale, never);
      await takeStep(context, stale, never);
      steps += 1;
      if (steps % 2 === 0) break;
    }
    clock.advance(60_000);
  }
  return steps;
}

test('whatever is interrupted or done twice, a test is decided once, and each recipient has one message', async () => {
  const { project, profiles } = await seedClients(sql, 60);
  const id = await seedMailing(context, project, { filter_chats: everybody, ab_test: halves(sample) });
  const steps = await interrupted(id, async () => (await stateOf(context, id)).state === 'completed');
  assert.ok(steps > 5, `${steps}`);
  const messages = await messagesOf(id);
  assert.deepEqual(
    messages.map(({ profile_id }) => profile_id),
    profiles,
  );
  assert.deepEqual(await plannedBy(project, id), [ofVariant(messages, 1), ofVariant(messages, 2)]);
  const decisions = await sql`select from mailing_decisions where mailing_id = ${id}`;
  assert.equal(decisions.length, 1);
});

test('the rest obeys the consent, the cap and the quiet hours of its own moment', async () => {
  const { project, profiles, id } = await sampled(40);
  const had = new Set((await messagesOf(id)).map(({ profile_id }) => profile_id));
  const [left = '', tired = ''] = profiles.filter((profile) => !had.has(profile));
  await sql`update chats set stopped_at = ${clock.now()} where profile_id = ${left}`;
  await sql`
    update projects set cap_messages = 1, cap_days = 1, quiet_from = '21:00', quiet_until = '09:00', timezone = 'UTC'
    where id = ${project}`;
  await sql`update profiles set timezone = 'Asia/Tokyo' where id = ${tired}`;
  clock.advance(60 * minute);
  await planAll(context);
  const rest = (await messagesOf(id)).filter(({ profile_id }) => !had.has(profile_id));
  assert.equal(rest.length, 40 - had.size - 1);
  assert.ok(!rest.some(({ profile_id }) => profile_id === left));
  const [waiting] = await sql<{ due_at: Date }[]>`
    select due_at from messages join chats on chats.project_id = messages.project_id and chats.id = chat_id
    where mailing_id = ${id} and profile_id = ${tired}`;
  const clockThere = waiting?.due_at.toISOString().slice(11, 16);
  // 09:00 in Tokyo.
  assert.equal(clockThere, '00:00');
  // Who got the sample is not counted again, and nobody of the rest has had a mailing.
  assert.deepEqual(await sumsOf(context, id), [had.size + rest.length, had.size, 0, 0]);
});
