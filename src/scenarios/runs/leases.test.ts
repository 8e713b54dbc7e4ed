import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { openShop } from '../../../test/scenario-harness.ts';
import { scenarioWorker } from '../../../test/scenario-worker.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';
import type { Sql } from '../../platform/database/database.ts';
import { takeEventStarts } from '../event-starts-store.ts';
import { addStarter } from '../starters.ts';
import { takeStarts } from '../starts-store.ts';
import { recordTurns } from './record.ts';
import type { Turn } from './turn.ts';

// Without workers: the test is all of them.
const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const partner = await createPartner({ after }, patchbay);
const { add, connector, say, push } = openShop(patchbay, partner);
const { context } = patchbay;
const { sql, clock } = context;
const { projectId } = partner;
const { claimIn, performIn } = scenarioWorker(context, projectId);

before(async () => {
  const { id } = await add('Prices', [
    { id: 'q', type: 'ask', text: 'Of what?', keep: { variable: 'thing' } },
    { id: 'b', type: 'message', text: 'Prices of {{thing}}', next: 'q' },
  ]);
  await addStarter(context, projectId, id, { kind: 'keyword', value: 'price' });
  const { id: greeting } = await add('Greeting', [
    { id: 'q', type: 'ask', text: 'Your name?', keep: { variable: 'name' } },
    { id: 'g', type: 'goto', scenario: 'Welcome' },
  ]);
  await addStarter(context, projectId, greeting, { kind: 'keyword', value: 'hello' });
  await add('Welcome', [
    { id: 'a', type: 'message', text: 'Welcome, {{name}}' },
    { id: 'q', type: 'ask', text: 'And now?' },
  ]);
  await add('News', [{ id: 'a', type: 'message', text: 'News' }]);
  await add('Survey', [
    { id: 'a', type: 'message', text: 'A survey' },
    { id: 'q', type: 'ask', text: 'Why?' },
  ]);
  await add('Report', [
    { id: 'r', type: 'request', url: 'http://127.0.0.1:9/' },
    { id: 'a', type: 'message', text: 'Report' },
  ]);
  await add('Tour', [
    { id: 'a', type: 'message', text: 'A tour' },
    { id: 'r', type: 'request', url: 'http://127.0.0.1:9/' },
    { id: 'b', type: 'message', text: 'First' },
    { id: 'again', type: 'request', url: 'http://127.0.0.1:9/' },
    { id: 'c', type: 'message', text: 'Second' },
    { id: 'g', type: 'goto', scenario: 'Asking' },
  ]);
  await add('Asking', [
    { id: 'q', type: 'ask', text: 'Liked it?', keep: { variable: 'answer' } },
    { id: 'r', type: 'request', url: 'http://127.0.0.1:9/' },
    { id: 'b', type: 'message', text: 'You said {{answer}}' },
  ]);
  await add('Later', [
    { id: 'w', type: 'wait', for: { minutes: 10 } },
    { id: 'a', type: 'message', text: 'Later' },
  ]);
});

/** The next turn of a chat's run. The lease of another one that is not recorded yet is lost. */
async function turnIn(chat: string): Promise<Turn> {
  await sql`update scenario_runs set due_at = ${clock.now()} where chat_id = ${chat} and status = 'running'`;
  return performIn(chat);
}

async function openSession(chat: string): Promise<void> {
  const opening = { event: 'message_created', message: { type: 'text', text: 'Olga here' } };
  assert.equal((await connector(chat, opening)).status, 200);
}

/** The messenger takes the first message of the scenario that waits for it in a chat. */
async function firstMessageIsSent(chat: string): Promise<void> {
  for (const state of ['IN_PROCESS', 'SENT']) {
    await sql`
      update messages set state = ${state}
      where id = (select message_id from scenario_openings where chat_id = ${chat})`;
  }
  const [row] =
    await sql`select from scenario_sent join scenario_openings using (message_id) where chat_id = ${chat}`;
  assert.ok(row);
}

const queuedIn = (chat: string) => sql<{ text: string }[]>`
  select content ->> 'text' as text from messages
  where chat_id = ${chat} and direction = 'out' and source = 'scenario' order by id`;

test('a turn whose lease was lost writes nothing beside the turn that replaced it', async () => {
  const { chat } = await partner.client('ann');
  await say('ann', 'price');
  const turns = [await turnIn(chat), await turnIn(chat)];
  await recordTurns(context, turns);
  assert.deepEqual(await queuedIn(chat), [{ text: 'Of what?' }]);
});

test('a turn of a scenario that another one has replaced ends nothing beside a turn of that one', async () => {
  const { chat } = await partner.client('bob');
  await say('bob', 'hello');
  await recordTurns(context, [await turnIn(chat)]);
  const replaced = await turnIn(chat);
  await say('bob', 'price');
  await recordTurns(context, [replaced, await turnIn(chat)]);
  await say('bob', 'tea');
  await recordTurns(context, [await turnIn(chat)]);
  assert.deepEqual(await queuedIn(chat), [
    { text: 'Your name?' },
    { text: 'Of what?' },
    { text: 'Prices of tea' },
    { text: 'Of what?' },
  ]);
});

test('a forced scenario waits in a session for the turn that was under way when the session opened', async () => {
  const { chat } = await partner.client('cyd');
  await say('cyd', 'price');
  await recordTurns(context, [await turnIn(chat)]);
  await say('cyd', 'tea');
  const underWay = await turnIn(chat);
  await openSession(chat);
  await push(chat, 'Later', { is_force: true });
  assert.equal(await claimIn(chat), undefined);
  await recordTurns(context, [underWay]);
  assert.equal((await claimIn(chat))?.scenario?.name, 'Later');
});

test('in a session a forced scenario goes on, also where the one before has paused in a request', async () => {
  const { chat } = await partner.client('gus');
  await say('gus', 'price');
  await recordTurns(context, [await turnIn(chat)]);
  await sql`
    update scenario_runs set state = jsonb_set(state, '{at,for}', '{"what": "answer"}') where chat_id = ${chat}`;
  await openSession(chat);
  // The pause lasts longer than this test.
  await push(chat, 'Survey', { is_force: true });
  await recordTurns(context, [await performIn(chat)]);
  await firstMessageIsSent(chat);
  await recordTurns(context, [await performIn(chat)]);
  assert.deepEqual(await queuedIn(chat), [{ text: 'Of what?' }, { text: 'Why?' }]);
});

test('a change waits for the scenario whose first message was sent before', async () => {
  const { chat } = await partner.client('hal');
  await say('hal', 'price');
  await recordTurns(context, [await turnIn(chat)]);
  await push(chat, 'Survey');
  await recordTurns(context, [await turnIn(chat)]);
  await firstMessageIsSent(chat);
  await sql`
    insert into scenario_event_starts (project_id, chat_id, scenario_id, params, due_at)
    select project_id, ${chat}, id, '{}', ${clock.now()} from scenarios where project_id = ${projectId} and name = 'News'`;
  const leased = { projectId, lease: context.newId(), now: clock.now(), leaseUntil: clock.now() };
  assert.equal(await takeEventStarts(sql, leased, { free: 9, platforms: [] }, context.newId), 0);
  for (const scenario of ['Survey', 'News']) {
    const turn = await turnIn(chat);
    assert.equal(turn.scenario.name, scenario);
    await recordTurns(context, [turn]);
  }
});

/** A client whose answer has led to another scenario, which has yet to greet them. */
async function goneElsewhere(name: string): Promise<string> {
  const { chat } = await partner.client(name);
  await say(name, 'hello');
  await recordTurns(context, [await turnIn(chat)]);
  await say(name, 'Kim');
  await recordTurns(context, [await turnIn(chat)]);
  return chat;
}

const greeted = [{ text: 'Your name?' }, { text: 'Welcome, Kim' }, { text: 'And now?' }];

test('a push waits for what a scenario says after a goto', async () => {
  const chat = await goneElsewhere('dan');
  await push(chat, 'Later');
  await recordTurns(context, [await turnIn(chat)]);
  await recordTurns(context, [await turnIn(chat)]);
  assert.deepEqual(await queuedIn(chat), greeted);
});

test('a keyword waits for what a scenario says after a goto', async () => {
  const chat = await goneElsewhere('eva');
  await say('eva', 'price');
  await recordTurns(context, [await turnIn(chat)]);
  await recordTurns(context, [await turnIn(chat)]);
  assert.deepEqual(await queuedIn(chat), greeted);
});

test('a push waits for what the client has written before it, and not for what comes after', async () => {
  const { chat } = await partner.client('fay');
  await say('fay', 'price');
  await recordTurns(context, [await turnIn(chat)]);
  await say('fay', 'tea');
  await push(chat, 'News');
  await say('fay', 'milk');
  const before = [{ text: 'Of what?' }, { text: 'Prices of tea' }, { text: 'Of what?' }];
  for (const scenario of ['Prices', 'News', 'Prices']) {
    const turn = await turnIn(chat);
    assert.equal(turn.scenario.name, scenario);
    await recordTurns(context, [turn]);
    if (scenario === 'News') assert.deepEqual(await queuedIn(chat), before);
  }
  assert.deepEqual(await queuedIn(chat), [...before, { text: 'Prices of milk' }, { text: 'Of what?' }]);
});

test('a push waits for the scenario of an earlier one that makes a request before its first message', async () => {
  const { chat } = await partner.client('ida');
  await push(chat, 'Report');
  await recordTurns(context, [await turnIn(chat)]);
  await push(chat, 'News');
  for (const scenario of ['Report', 'News']) {
    const turn = await turnIn(chat);
    assert.equal(turn.scenario.name, scenario);
    await recordTurns(context, [turn]);
  }
  const rows = await sql<{ state: string; text: string | null }[]>`
    select state, rendered ->> 'text' as text from messages
    where chat_id = ${chat} and direction = 'out' and content_type = 'NODE' order by id`;
  assert.deepEqual(
    [...rows],
    [
      { state: 'PENDING', text: 'Report' },
      { state: 'PENDING', text: 'News' },
    ],
  );
});

test('in a session a forced push waits for the scenario of an earlier one, too', async () => {
  const { chat } = await partner.client('joe');
  await openSession(chat);
  await push(chat, 'Report', { is_force: true });
  await recordTurns(context, [await performIn(chat)]);
  // Its request has not been made yet.
  await sql`update scenario_runs set due_at = ${new Date(clock.now().getTime() + 60_000)} where chat_id = ${chat}`;
  await push(chat, 'News', { is_force: true });
  assert.equal(await claimIn(chat), undefined);
  for (const scenario of ['Report', 'News']) {
    const turn = await turnIn(chat);
    assert.equal(turn.scenario.name, scenario);
    await recordTurns(context, [turn]);
  }
});

/** Records turns of the chat's run that are due at once. */
async function goOn(chat: string, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await recordTurns(context, [await performIn(chat)]);
}

test('in a session a forced scenario goes on through requests and a goto until it asks', async () => {
  const { chat } = await partner.client('kay');
  await openSession(chat);
  await push(chat, 'Tour', { is_force: true });
  await goOn(chat, 1);
  await firstMessageIsSent(chat);
  await goOn(chat, 3);
  // It has yet to ask in the other scenario, and its worker is late.
  await sql`update scenario_runs set due_at = ${new Date(clock.now().getTime() + 60_000)} where chat_id = ${chat}`;
  await push(chat, 'News', { is_force: true });
  assert.equal(await claimIn(chat), undefined);
  await sql`update scenario_runs set due_at = ${clock.now()} where chat_id = ${chat}`;
  await goOn(chat, 2);
  assert.deepEqual(await queuedIn(chat), [{ text: 'First' }, { text: 'Second' }, { text: 'Liked it?' }]);
  assert.equal((await claimIn(chat))?.scenario?.name, 'News');
});

test('a forced scenario whose question was answered before a session waits for its end', async () => {
  const { chat } = await partner.client('lea');
  await push(chat, 'Asking', { is_force: true });
  await goOn(chat, 1);
  await firstMessageIsSent(chat);
  await goOn(chat, 1);
  await say('lea', 'yes');
  await goOn(chat, 1);
  await openSession(chat);
  await goOn(chat, 1);
  assert.deepEqual(await queuedIn(chat), []);
});

test('a scenario that follows a forced one by a keyword pauses in a session', async () => {
  const { chat } = await partner.client('mia');
  await push(chat, 'Survey', { is_force: true });
  await goOn(chat, 1);
  await firstMessageIsSent(chat);
  await goOn(chat, 1);
  await say('mia', 'price');
  await openSession(chat);
  await goOn(chat, 1);
  assert.deepEqual(await queuedIn(chat), [{ text: 'Why?' }]);
});

test('a keyword waits for the scenario that a push is starting in a chat without one', async () => {
  const { chat } = await partner.client('ned');
  const uuid = await push(chat, 'News');
  const underWay = await turnIn(chat);
  for (const text of ['hm', 'price', 'tea']) await say('ned', text);
  await recordTurns(context, [underWay]);
  const [started] = await sql`select state, rendered ->> 'text' as text from messages where id = ${uuid}`;
  assert.deepEqual(started, { state: 'PENDING', text: 'News' });
  await goOn(chat, 2);
  assert.deepEqual(await queuedIn(chat), [
    { text: 'Of what?' },
    { text: 'Prices of tea' },
    { text: 'Of what?' },
  ]);
  assert.deepEqual(await sql`select message_id from scenario_mail where chat_id = ${chat}`, []);
});

test('a keyword after the first message of a push begins its scenario after the push’s', async () => {
  const { chat } = await partner.client('olga');
  await push(chat, 'Survey');
  await goOn(chat, 1);
  await firstMessageIsSent(chat);
  await say('olga', 'price');
  await goOn(chat, 2);
  assert.deepEqual(await queuedIn(chat), [{ text: 'Why?' }, { text: 'Of what?' }]);
});

/** The claim of a worker who is gone at once. */
const claimNow = () => ({ projectId, lease: context.newId(), now: clock.now(), leaseUntil: clock.now() });

/** A worker takes one of a chat's two starts while another one takes the other. Returns the start of the chat's run. */
async function takenAtOnce(chat: string): Promise<{ starts: string[]; begun: string | null }> {
  const starts = [await push(chat, 'Survey'), await push(chat, 'Report')];
  const take = (by: Sql) => takeStarts(by, claimNow(), 1, context.newId);
  let second: Promise<number> | undefined;
  await sql.begin(async (first) => {
    assert.equal(await take(first), 1);
    second = take(sql);
    await somebodyWaits(sql);
  });
  assert.equal(await second, 0);
  const [run] = await sql<[{ start_id: string | null }]>`
    select start_id from scenario_runs where chat_id = ${chat}`;
  return { starts, begun: run.start_id };
}

const dueStartsIn = (chat: string) => sql<{ id: string }[]>`
  select id from messages where chat_id = ${chat} and is_queued and channel_id is null and due_at is not null`;

test('of two pushes that two workers take at once, the second waits', twoSessions, async () => {
  const { chat } = await partner.client('xena');
  const { starts, begun } = await takenAtOnce(chat);
  assert.equal(begun, starts[0]);
  assert.deepEqual(await dueStartsIn(chat), [{ id: starts[1] }]);
});

test('of two such pushes the second waits also where a scenario has ended', twoSessions, async () => {
  const { chat } = await partner.client('yuri');
  await push(chat, 'News');
  await recordTurns(context, [await performIn(chat)]);
  await firstMessageIsSent(chat);
  await recordTurns(context, [await performIn(chat)]);
  const { starts, begun } = await takenAtOnce(chat);
  assert.equal(begun, starts[0]);
  assert.deepEqual(await dueStartsIn(chat), [{ id: starts[1] }]);
});

test(
  'a keyword that comes while a push begins its scenario in a new chat is heard',
  twoSessions,
  async () => {
    const { chat } = await partner.client('zoe');
    await push(chat, 'News');
    let said: Promise<void> | undefined;
    await sql.begin(async (worker) => {
      assert.equal(await takeStarts(worker, claimNow(), 1, context.newId), 1);
      said = say('zoe', 'price');
      await somebodyWaits(sql);
    });
    await said;
    await goOn(chat, 2);
    assert.deepEqual(await queuedIn(chat), [{ text: 'Of what?' }]);
  },
);
