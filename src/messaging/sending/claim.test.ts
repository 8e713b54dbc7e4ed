import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { heldTimeouts } from '../../../test/held-timeouts.ts';
import { queueTexts } from '../../../test/queue-texts.ts';
import { answerWith } from '../../../test/stand-ins/messenger.ts';
import { learn } from './learn.ts';

/**
 * Queues that are longer than the running calls. The look finds a lane's first claim, and each claim finds the next.
 */

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { sql, wake } = patchbay.context;

const atFirst = 64;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
}

/** The pump's measure of time passes slowly, so that work is fast on any machine. */
function slowTime(t: TestContext): void {
  const now = performance.now.bind(performance);
  const since = now();
  t.mock.method(performance, 'now', () => since + (now() - since) / 50);
}

/** A channel with a queue, whose messenger answers on demand. No call ends by its deadline meanwhile. */
async function scene(t: TestContext, count: number) {
  heldTimeouts(t);
  const partner = await createPartner(t, patchbay);
  const { messenger, channel } = partner;
  const { chat } = await partner.client('ann');
  const held: ((status: number, headers?: Record<string, string>) => void)[] = [];
  messenger.behave((delivery, response) => {
    held.push((status, headers) => answerWith(status, headers)(delivery, response));
  });
  const ids = await queueTexts(patchbay.context, { ...partner, channelId: channel.id, chat }, count);
  await messenger.received(Math.min(count, atFirst));
  const states = async (): Promise<Record<string, number>> => {
    const rows = await sql<{ state: string; count: number }[]>`
      select state, count(*)::int as count from messages where id = any (${ids}) group by state`;
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  };
  const row = async (id = '') => {
    const [found] = await sql<[{ state: string; lease: string | null; attempts: number }]>`
      select state, lease, attempts from messages where id = ${id}`;
    return found;
  };
  const resumeAt = async (): Promise<number> => {
    const [pace] = await sql<[{ resume_at: Date }]>`
      select resume_at from channel_pace where channel_id = ${channel.id}`;
    return pace.resume_at.getTime() - clock.now().getTime();
  };
  /** Answers all waiting calls, and every later call at once. */
  const release = (status: number): void => {
    messenger.behave(answerWith(status));
    for (const answer of held.splice(0)) answer(status);
  };
  return { ...partner, chat, ids, held, states, row, resumeAt, release };
}

test('refused credentials stop a long queue after the running calls', async (t) => {
  const { channel, messenger, held, states, release } = await scene(t, 1_500);
  held.shift()?.(401);
  await until(async () => {
    const [row] = await sql<[{ state: string }]>`select state from channels where id = ${channel.id}`;
    return row.state === 'paused';
  });
  release(401);
  await until(async () => (await states()).IN_PROCESS === undefined);
  const { ERROR = 0, PENDING = 0 } = await states();
  assert.equal(ERROR, messenger.deliveries.length);
  assert.equal(ERROR + PENDING, 1_500);
  assert.ok(ERROR < 2 * atFirst, `${ERROR} calls`);
});

test('a provider that asks to slow down gets no more calls until the pause has ended', async (t) => {
  const { messenger, held, states, resumeAt, release } = await scene(t, 1_500);
  held.shift()?.(429, { 'retry-after': '30' });
  await until(async () => (await resumeAt()) > 0);
  // By now the channel's pace would allow some again.
  clock.advance(10_000);
  release(200);
  await until(async () => (await states()).IN_PROCESS === undefined);
  const calls = messenger.deliveries.length;
  assert.ok(calls < 2 * atFirst, `${calls} calls`);
  clock.advance(20_000);
  wake.wake('sending');
  await messenger.received(calls + 1);
});

for (const status of [401, 429]) {
  test(`a fast channel that answers ${status} is not called for what was claimed ahead`, async (t) => {
    slowTime(t);
    const { messenger, channel, held, states, release } = await scene(t, 3_000);
    // The channel becomes fast, and then all its places are taken.
    const fast = 1_500;
    messenger.behave((delivery, response) => {
      if (messenger.deliveries.length <= fast) return answerWith(200)(delivery, response);
      held.push((status, headers) => answerWith(status, headers)(delivery, response));
    });
    for (const answer of held.splice(0)) answer(200);
    await messenger.received(fast + atFirst);
    const leased = async (): Promise<number> => {
      const [row] = await sql<[{ count: number }]>`
        select count(*)::int as count from messages where channel_id = ${channel.id} and lease is not null`;
      return row.count;
    };
    let [seen, since] = [0, 0];
    await until(async () => {
      const isStill = (await leased()) > held.length && held.length === seen;
      seen = held.length;
      since = isStill ? since + 1 : 0;
      return since === 50;
    });
    const calls = messenger.deliveries.length;
    const ahead = (await leased()) - held.length;
    held.shift()?.(status, { 'retry-after': '30' });
    await until(async () => (await leased()) <= held.length);
    release(200);
    await until(async () => (await states()).IN_PROCESS === undefined);
    // A call may have begun without having arrived.
    const late = messenger.deliveries.length - calls;
    assert.ok(late < ahead, `${late} of ${ahead} were called`);
  });
}

test('of several pauses that a provider asks for, the longest counts, in any order', async (t) => {
  const { channel, chat, ids, held, row, resumeAt } = await scene(t, 40);
  await until(() => held.length === 40);
  for (const [n, answer] of held.splice(0).entries()) answer(429, { 'retry-after': n === 20 ? '60' : '5' });
  for (const id of ids) await until(async () => (await row(id)).lease === null);
  assert.equal(await resumeAt(), 60_000);
  await learn(sql, channel.id, [{ chatId: chat, pauseMs: 5_000, scope: 'channel' }], new Set(), clock.now());
  assert.equal(await resumeAt(), 60_000);
});

test('a rate limit is no attempt, and a failure is one', async (t) => {
  const { ids, held, row } = await scene(t, 2);
  await until(() => held.length === 2);
  held.shift()?.(429, { 'retry-after': '5' });
  held.shift()?.(503);
  for (const id of ids) await until(async () => (await row(id)).lease === null);
  const rows = await Promise.all(ids.map(row));
  assert.deepEqual(
    new Set(rows.map(({ state, attempts }) => [state, attempts].join())),
    new Set(['PENDING,0', 'IN_PROCESS,1']),
  );
});
