import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';
import { queueTexts } from '../../../test/queue-texts.ts';
import { answerWith } from '../../../test/stand-ins/messenger.ts';
import { dueChannels } from './store.ts';

/** A channel whose provider answers "slow down", as its messages and its page show. */

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { context, call } = patchbay;
const { sql, wake } = context;

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
}

const tooMany = (seconds: number, body = '{}') => answerWith(429, { 'retry-after': String(seconds) }, body);

async function scene(t: TestContext, names: readonly string[]) {
  const partner = await createPartner(t, patchbay);
  const { headers } = await signIn(context, { projectId: partner.projectId });
  const chats: string[] = [];
  for (const name of names) chats.push((await partner.client(name)).chat);
  const queue = (chat: string, count = 1) =>
    queueTexts(context, { ...partner, channelId: partner.channel.id, chat }, count);
  const waiting = async (ids: readonly string[]): Promise<number> => {
    const rows = await sql`
      select from messages where id = any (${[...ids]}) and state in ('PENDING', 'IN_PROCESS')`;
    return rows.length;
  };
  const shown = async () =>
    (await call('GET', `/console/api/channels/${partner.channel.id}/`, { headers })).body;
  /** Waits until every message that may be sent now is sent and recorded. */
  const settled = async (ids: readonly string[]) =>
    until(async () => {
      const lanes = await dueChannels(sql, clock.now());
      const lane = lanes.find(({ key }) => key === partner.channel.id);
      // Read second: messages that are not due cannot be claimed meanwhile.
      const held = await sql`select from messages where id = any (${[...ids]}) and lease is not null`;
      return held.length === 0 && (lane === undefined || lane.dueAt > clock.now());
    });
  return { ...partner, chats, queue, waiting, shown, settled };
}

/** Advances second by second until none of these waits any more. */
async function secondsUntilSent(
  scene: { waiting(ids: readonly string[]): Promise<number>; settled(ids: readonly string[]): Promise<void> },
  ids: readonly string[],
) {
  for (let seconds = 0; ; seconds += 1) {
    wake.wake('sending');
    await scene.settled(ids);
    if ((await scene.waiting(ids)) === 0) return seconds;
    assert.ok(seconds < 120, 'they are never sent');
    clock.advance(1_000);
  }
}

test('one rate limit on an idle channel delays a queue for its pause, and no longer', async (t) => {
  const it = await scene(t, ['ann', ...Array.from({ length: 20 }, (_, n) => `client-${n}`)]);
  const [ann = '', ...others] = it.chats;
  it.messenger.behave(tooMany(1));
  const first = await it.queue(ann);
  await it.messenger.received(1);
  await until(async () => (await it.shown()).resume_at !== null);
  it.messenger.behave(answerWith(200));
  const ids = [...first];
  for (const chat of others) ids.push(...(await it.queue(chat, 3)));
  assert.ok((await secondsUntilSent(it, ids)) <= 2);
  assert.deepEqual([(await it.shown()).rate, (await it.shown()).learnt], [null, null]);
});

test('a partly refused burst teaches the channel its limit, shown with its reason until it expires', async (t) => {
  const names = Array.from({ length: 40 }, (_, n) => `client-${n}`);
  const it = await scene(t, names);
  let calls = 0;
  it.messenger.behave((delivery, response) => {
    calls += 1;
    (calls === 40 ? tooMany(1) : answerWith(200))(delivery, response);
  });
  const ids: string[] = [];
  for (const chat of it.chats) ids.push(...(await it.queue(chat)));
  await until(async () => (await it.shown()).learnt !== null);
  await it.settled(ids);
  const { learnt, rate } = await it.shown();
  assert.ok(learnt.per_second >= 20 && learnt.per_second <= 40, JSON.stringify(learnt));
  assert.ok(rate >= learnt.per_second / 2 && rate <= learnt.per_second, `${rate}`);
  assert.deepEqual(
    [learnt.calls, learnt.refused, learnt.at, learnt.until],
    [40, 1, clock.now().toISOString(), new Date(clock.now().getTime() + 600_000).toISOString()],
  );
  clock.advance(600_000);
  const later = await it.shown();
  assert.deepEqual([later.learnt, later.rate], [null, null]);
  assert.ok((await secondsUntilSent(it, [...ids, ...(await it.queue(it.chats[0] ?? '', 60))])) <= 1);
});

for (const [how, answer] of [
  ['that the provider calls the chat’s', tooMany(30, '{"scope": "chat"}')],
  ['right after another message to the chat', tooMany(30)],
] as const) {
  test(`a refusal ${how} delays this chat alone`, async (t) => {
    const it = await scene(t, ['ann', 'bob']);
    const [ann = '', bob = ''] = it.chats;
    const told = await it.queue(ann);
    await until(async () => (await it.waiting(told)) === 0);
    it.messenger.behave(answer);
    const refused = await it.queue(ann);
    await it.messenger.received(2);
    await it.settled(refused);
    it.messenger.behave(answerWith(200));
    const others = await it.queue(bob, 3);
    assert.equal(await secondsUntilSent(it, others), 0);
    assert.equal((await it.shown()).resume_at, null);
    assert.ok((await it.waiting(refused)) === 1);
    assert.ok((await secondsUntilSent(it, refused)) >= 28);
  });
}
