import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { openShop } from '../../../test/scenario-harness.ts';
import { scenarioWorker } from '../../../test/scenario-worker.ts';
import { answerWith, holdAnswers, startMessenger } from '../../../test/stand-ins/messenger.ts';
import { addAttribute, addTag } from '../../clients/profiles/dictionary.ts';
import { setStarters } from '../starters.ts';
import { recordTurns } from './record.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { context, call } = patchbay;
const partner = await createPartner({ after }, patchbay);
const { projectId } = partner;
const { add, connector, push, say, hears, heard, pushIn, isOpening, setChannel } = openShop(
  patchbay,
  partner,
);
await addAttribute(context, { projectId, name: 'size' });
await addTag(context, { projectId, name: 'asked' });

const profileOf = async (chat: string) =>
  (await call('GET', `/api/partners/profiles/chat/${chat}/`, { headers: partner.key })).body;

const message = (id: string, text: string, next?: string) => ({ id, type: 'message', text, next });

test('a push starts a scenario, which asks, branches, stores the answer, hands over and continues afterwards', async () => {
  await add('Sizes', [
    message('hello', 'Hello {{name}}, order {{order}}'),
    {
      id: 'ask',
      type: 'ask',
      text: 'Which size?',
      check: 'number',
      keep: { variable: 'size', attribute: 'size' },
    },
    { id: 'tag', type: 'set', add_tags: ['asked'] },
    {
      id: 'fork',
      type: 'branch',
      cases: [{ when: { all: [{ type: 'attribute', size__gt: 40 }] }, next: 'large' }],
    },
    message('small', 'Small', 'human'),
    message('large', 'Large: {{size}}'),
    { id: 'human', type: 'operator', text: 'One moment', title: 'Size {{size}}' },
    { id: 'untag', type: 'set', remove_tags: ['asked'], attributes: { size: null } },
    message('after', 'And now?'),
  ]);
  const { chat } = await partner.client('ann');
  const uuid = await push(chat, 'Sizes', { get_params: { order: 'seven' } });
  assert.deepEqual(await hears('ann', 2), ['Hello ann, order seven', 'Which size?']);
  const pushed = await pushIn(uuid, 'SENT');
  assert.deepEqual(pushed.content, {
    type: 'NODE',
    node: { name: 'Sizes' },
    get_params: { order: 'seven' },
  });

  await say('ann', 'large');
  assert.equal((await hears('ann', 3))[2], 'Which size?');
  await say('ann', '42');
  assert.deepEqual((await hears('ann', 5)).slice(3), ['Large: 42', 'One moment']);
  const profile = await profileOf(chat);
  assert.deepEqual([profile.attrs, profile.tags], [{ size: 42 }, ['asked']]);
  const [session] =
    await context.sql`select title from sessions where chat_id = ${chat} and closed_at is null`;
  assert.equal(session?.title, 'Size 42');
  const audit = await call('GET', `/api/partners/profiles/audit/?profile=${profile.uuid}`, {
    headers: partner.token,
  });
  assert.deepEqual(audit.body.results[0]?.actor, { type: 'scenario', name: 'Sizes' });

  await say('ann', 'this is for the operator');
  await connector(chat, { event: 'session_closed' });
  await say('ann', 'back again');
  assert.equal((await hears('ann', 6))[5], 'And now?');
  const changed = await profileOf(chat);
  assert.deepEqual([changed.attrs, changed.tags], [{}, []]);
});

test('messages of a scenario arrive in order, each after the one before it has ended', async () => {
  await add('Three', [message('a', '1'), message('b', '2'), message('c', '3')]);
  const { chat } = await partner.client('ole');
  const { release } = holdAnswers(partner.messenger);
  await push(chat, 'Three');
  for (const texts of [['1'], ['1', '2'], ['1', '2', '3']]) {
    assert.deepEqual(await hears('ole', texts.length), texts);
    await release();
  }
  partner.messenger.behave(answerWith(200));
});

test('a cancelled start never runs, and a run that is cancelled before its first message stops', async () => {
  await add('Later', [{ id: 'w', type: 'wait', for: { minutes: 10 } }, message('a', 'late')]);
  await add('Soon', [message('a', 'soon')]);
  const { chat } = await partner.client('per');
  const cancel = (uuid: string) =>
    call('POST', `/api/partners/push-messages/${uuid}/cancel/`, { headers: partner.key });
  const planned = await push(chat, 'Soon', { launch_at: '2026-11-20T12:10:00Z' });
  assert.equal((await cancel(planned)).status, 204);
  const waiting = await push(chat, 'Later');
  while (
    (await context.sql`select from scenario_runs where chat_id = ${chat} and state is not null`).length === 0
  );
  assert.equal((await cancel(waiting)).status, 204);

  clock.advance(20 * 60_000);
  context.wake.wake('running');
  while (
    (await context.sql`select from scenario_runs where chat_id = ${chat} and status = 'ended'`).length === 0
  );
  await push(chat, 'Soon');
  assert.deepEqual(await hears('per', 1), ['soon']);
});

test('a scenario whose first message is cancelled sends no other', async () => {
  await add('Both', [message('a', 'first'), message('b', 'second')]);
  const { chat } = await partner.client('mia');
  await setChannel('paused');
  const uuid = await push(chat, 'Both');
  while (!(await isOpening(chat)));
  const cancelled = await call('POST', `/api/partners/push-messages/${uuid}/cancel/`, {
    headers: partner.key,
  });
  assert.equal(cancelled.status, 204);
  context.wake.wake('running');
  while (await isOpening(chat));
  const [run] = await context.sql`select status, due_at from scenario_runs where chat_id = ${chat}`;
  assert.deepEqual(run, { status: 'ended', due_at: null });
  const sent = await context.sql`select state from messages where chat_id = ${chat} and direction = 'out'`;
  assert.deepEqual(sent, [{ state: 'CANCELLED' }]);
  await setChannel('active');
});

test('the time for an answer and a wait begin when the first message was sent', async () => {
  const minute = 60_000;
  await add('Late', [
    { id: 'a', type: 'message', text: 'Soon more' },
    { id: 'w', type: 'wait', for: { minutes: 1 } },
    { id: 'b', type: 'message', text: 'More' },
  ]);
  await add('Question', [
    { id: 'q', type: 'ask', text: 'Well?', timeout: { after: { minutes: 1 }, next: 'late' } },
    { id: 'thanks', type: 'message', text: 'Thanks', next: 'end' },
    { id: 'late', type: 'message', text: 'Too late' },
    { id: 'end', type: 'end' },
  ]);
  const chats = [(await partner.client('nia')).chat, (await partner.client('nora')).chat] as const;
  await setChannel('paused');
  await push(chats[0], 'Late');
  await push(chats[1], 'Question');
  const inTime = async (): Promise<(string | null)[]> => {
    const rows = await context.sql<{ until: string | null }[]>`
      select state #>> '{at,for,until}' as until from scenario_runs
      where chat_id = any (${[...chats]}::uuid[]) and status = 'running' and lease is null`;
    return rows.map(({ until }) => until);
  };
  while (!(await isOpening(chats[0])) || !(await isOpening(chats[1])));
  clock.advance(2 * minute);
  context.wake.wake('running');
  assert.deepEqual(await inTime(), []);
  await setChannel('active');
  assert.deepEqual([await hears('nia', 1), await hears('nora', 1)], [['Soon more'], ['Well?']]);
  while ((await inTime()).length < 2);
  const until = new Date(clock.now().getTime() + minute).toISOString();
  assert.deepEqual(await inTime(), [until, until]);
  clock.advance(minute);
  context.wake.wake('running');
  assert.deepEqual((await hears('nia', 2))[1], 'More');
  assert.deepEqual((await hears('nora', 2))[1], 'Too late');
});

test('a scenario without a message, or a missing one, makes its push an error; so does a replaced run', async () => {
  await add('Mute', [{ id: 'end', type: 'end' }]);
  await add('Broken', [{ id: 'w', type: 'wait', until: '{{nothing}}' }]);
  await add('Slow', [{ id: 'w', type: 'wait', for: { days: 1 } }, message('a', 'slow')]);
  const { chat } = await partner.client('tom');
  const detail = async (uuid: string) => (await pushIn(uuid, 'ERROR')).state.detail;
  assert.equal(await detail(await push(chat, 'Mute')), 'The scenario ended without sending anything.');
  assert.equal(await detail(await push(chat, 'Broken')), 'Step "w" cannot wait until "": it is no moment.');
  const slow = await push(chat, 'Slow');
  while (!(await isOpening(chat)));
  await push(chat, 'Three');
  assert.deepEqual(await hears('tom', 3), ['1', '2', '3']);
  assert.equal(await detail(slow), 'Another scenario began before this one had sent anything.');
});

test('during a session a start is undelivered unless forced, and leaves the chat’s own run alone', async () => {
  await add('Ask', [
    { id: 'ask', type: 'ask', text: 'Well?', keep: { variable: 'x' } },
    message('a', 'Thanks: {{x}}'),
  ]);
  const { chat } = await partner.client('ida');
  await push(chat, 'Ask');
  await hears('ida', 1);
  await connector(chat, { event: 'message_created', message: { type: 'text', text: 'Olga here' } });
  const refused = await pushIn(await push(chat, 'Three'), 'UNDELIVERED');
  assert.equal(refused.state.detail, 'The chat has an open operator session.');
  await say('ida', 'to Olga');
  await connector(chat, { event: 'session_closed' });
  await say('ida', 'to the scenario');
  assert.deepEqual((await hears('ida', 3)).slice(2), ['Thanks: to the scenario']);

  await connector(chat, { event: 'message_created', message: { type: 'text', text: 'Olga again' } });
  await hears('ida', 4);
  await push(chat, 'Soon', { is_force: true });
  assert.deepEqual((await hears('ida', 5)).slice(3), ['Olga again', 'soon']);
});

test('a start that a session has refused is undelivered, also when the session is closed by now', async () => {
  const { chat } = await partner.client('ivy');
  await connector(chat, { event: 'message_created', message: { type: 'text', text: 'Olga here' } });
  await hears('ivy', 1);
  await setChannel('paused');
  const uuid = await push(chat, 'Three');
  const isRefused = () => context.sql`select from messages where id = ${uuid} and rendered is not null`;
  while ((await isRefused()).length === 0) await new Promise(setImmediate);
  await connector(chat, { event: 'session_closed' });
  await setChannel('active');
  const { state } = await pushIn(uuid, 'UNDELIVERED', 'ERROR');
  assert.deepEqual(state, { code: 'UNDELIVERED', detail: 'The chat has an open operator session.' });
});

/** A client whose scenario has waited for a minute, and pauses because an operator has the chat. */
async function pausedChat(name: string): Promise<string> {
  await add('Later', [
    message('a', 'First'),
    { id: 'w', type: 'wait', for: { minutes: 1 } },
    message('b', 'Second'),
  ]);
  const { chat } = await partner.client(name);
  await push(chat, 'Later');
  await hears(name, 1);
  const waits = () => context.sql`
    select from scenario_runs where chat_id = ${chat} and state #>> '{at,step}' = 'w' and lease is null
      and due_at > ${clock.now()}`;
  while ((await waits()).length === 0);
  await connector(chat, { event: 'message_created', message: { type: 'text', text: 'Olga here' } });
  await hears(name, 2);
  clock.advance(60_000);
  context.wake.wake('running');
  while ((await waits()).length === 0);
  return chat;
}

test('a wait that ends during a session goes on when the session is closed', async () => {
  const chat = await pausedChat('olga');
  await connector(chat, { event: 'session_closed' });
  assert.deepEqual(await hears('olga', 3), ['First', 'Olga here', 'Second']);
});

test('a wait goes on when its session is closed while a worker still sees it open', async () => {
  const chat = await pausedChat('boris');
  // The test is the worker whose turn ends after the session.
  const now = new Date(clock.now().getTime() + 60_000);
  const turn = await scenarioWorker(context, projectId).performIn(chat, now);
  await connector(chat, { event: 'session_closed' });
  await recordTurns(context, [turn]);
  context.wake.wake('running');
  assert.equal((await hears('boris', 3))[2], 'Second');
});

test('a first message starts the welcome, a keyword its scenario in any case, and the run gets the others', async () => {
  const other = await createPartner({ after }, patchbay);
  const shop = openShop(patchbay, other);
  await shop.add('Hello', [
    { id: 'ask', type: 'ask', text: 'Your name?', keep: { variable: 'who' } },
    message('a', 'Hello {{who}}'),
  ]);
  await shop.add('Prices', [message('a', 'From 5 to 9')]);
  const starters = [
    { keyword: '', scenario: 'Hello' },
    { keyword: 'Price', scenario: 'Prices' },
  ];
  await setStarters(context, other.projectId, starters);
  await shop.say('eva', 'Good day');
  assert.deepEqual(await shop.hears('eva', 1), ['Your name?']);
  await shop.say('eva', 'Eva');
  assert.deepEqual((await shop.hears('eva', 2))[1], 'Hello Eva');
  await shop.say('eva', 'nothing runs any more');
  await shop.say('eva', '  PRICE ');
  assert.deepEqual((await shop.hears('eva', 3))[2], 'From 5 to 9');
  await shop.say('uli', 'price');
  assert.deepEqual(await shop.hears('uli', 1), ['From 5 to 9']);
});

test('concurrent answers are handled one after another, each by its own question', async () => {
  await add('Two', [
    { id: 'a', type: 'ask', text: 'First?', keep: { variable: 'a' } },
    { id: 'b', type: 'ask', text: 'Second?', keep: { variable: 'b' } },
    message('c', '{{a}} and {{b}}'),
  ]);
  const { chat } = await partner.client('leo');
  await push(chat, 'Two');
  await hears('leo', 1);
  await say('leo', 'one');
  await say('leo', 'two');
  assert.equal((await hears('leo', 3))[2], 'one and two');
});

test('a request brings its answer into the scenario, and a failed request follows its own step', async (t) => {
  const shop = await startMessenger(t);
  await add('Stock', [
    {
      id: 'r',
      type: 'request',
      url: `${shop.url}{{what}}`,
      method: 'POST',
      body: { chat: '{{chat.uuid}}' },
      keep: { left: '/left' },
      failed: 'no',
    },
    message('yes', '{{left}} left', 'end'),
    message('no', 'Not now'),
    { id: 'end', type: 'end' },
  ]);
  const { chat } = await partner.client('kai');
  shop.behave(answerWith(200, {}, '{"left": 3}'));
  await push(chat, 'Stock', { get_params: { what: 'a b' } });
  assert.deepEqual(await hears('kai', 1), ['3 left']);
  const [asked] = shop.deliveries;
  assert.deepEqual(asked?.body, { chat });
  assert.match(String(asked?.headers['idempotency-key']), /^[0-9a-f-]{36}-1$/);
  shop.behave(answerWith(503));
  await push(chat, 'Stock');
  assert.equal((await hears('kai', 2))[1], 'Not now');
});

test('the result of a request that was running at a cancel changes nothing', async (t) => {
  const shop = await startMessenger(t);
  const { waits, release } = holdAnswers(shop);
  await add('Check', [
    { id: 'r', type: 'request', url: shop.url },
    { id: 's', type: 'set', attributes: { size: 'checked' } },
    message('m', 'checked'),
  ]);
  const { chat } = await partner.client('amy');
  const uuid = await push(chat, 'Check');
  await waits();
  const cancelled = await call('POST', `/api/partners/push-messages/${uuid}/cancel/`, {
    headers: partner.key,
  });
  assert.equal(cancelled.status, 204);
  await release();
  while (
    (await context.sql`select from scenario_runs where chat_id = ${chat} and status = 'ended'`).length === 0
  );
  assert.deepEqual((await profileOf(chat)).attrs, {});
});

test('a scenario goes on when the profile has no room for its attribute', async () => {
  await addAttribute(context, { projectId: partner.projectId, name: 'long' });
  await add('Full', [
    { id: 's', type: 'set', attributes: { size: 'x'.repeat(4_000) } },
    message('m', 'went on'),
  ]);
  const { chat, profile } = await partner.client('max');
  const long = 'y'.repeat(64_000);
  await context.sql`update profiles set attrs = ${context.sql.json({ long })} where id = ${profile}`;
  await push(chat, 'Full');
  assert.deepEqual(await hears('max', 1), ['went on']);
  assert.deepEqual((await profileOf(chat)).attrs, { long });
});

test("a profile that is merged while a request runs keeps the request's results", async (t) => {
  const shop = await startMessenger(t);
  const { waits, release } = holdAnswers(shop);
  await add('Fit', [
    { id: 'r', type: 'request', url: shop.url },
    { id: 's', type: 'set', attributes: { size: '44' } },
    message('m', 'kept'),
  ]);
  const phone = '+12025550177';
  const elder = await partner.client('lou at work', { phone });
  const { chat } = await partner.client('lou');
  await push(chat, 'Fit');
  await waits();
  await call('POST', `/channels/${partner.channel.id}/messages/`, {
    headers: { authorization: `Bearer ${partner.channel.secret}` },
    body: {
      chat: { external_id: 'lou', phone },
      message: { external_id: 'with a number', type: 'text', text: 'It is me' },
    },
  });
  await release();
  assert.deepEqual(await hears('lou', 1), ['kept']);
  const { uuid, attrs } = await profileOf(chat);
  assert.deepEqual([uuid, attrs], [elder.profile, { size: '44' }]);
});

test('a code in a text belongs to this client, and an empty group reports it', async () => {
  const group = await call('POST', '/api/partners/promocode-groups/', {
    headers: partner.key,
    body: { name: 'Spring' },
  });
  const code = await call('POST', '/api/partners/promocodes/', {
    headers: partner.key,
    body: { code: 'S-1', group: group.body.uuid },
  });
  await add('Gift', [message('a', 'Hi'), message('b', 'Take {{promocode:Spring}}')]);
  const { chat } = await partner.client('zoe');
  await push(chat, 'Gift');
  assert.deepEqual(await hears('zoe', 2), ['Hi', 'Take S-1']);
  const issued = await call('GET', `/api/partners/promocodes/${code.body.uuid}/`, { headers: partner.key });
  assert.deepEqual([issued.body.status, issued.body.issued_chat.uuid], ['ISSUED', chat]);

  await push(chat, 'Gift');
  assert.equal((await hears('zoe', 3))[2], 'Hi');
  while (
    (await context.sql`select from scenario_runs where chat_id = ${chat} and status = 'failed'`).length === 0
  );
  assert.equal(heard('zoe').length, 3);
});

test('a code that a step takes directly before the first message goes back with it, and no other does', async () => {
  const codeIn = async (name: string) => {
    const group = await call('POST', '/api/partners/promocode-groups/', {
      headers: partner.key,
      body: { name },
    });
    const body = { code: `${name}-1`, group: group.body.uuid };
    const { body: made } = await call('POST', '/api/partners/promocodes/', { headers: partner.key, body });
    return async () => {
      const path = `/api/partners/promocodes/${made.uuid}/`;
      return (await call('GET', path, { headers: partner.key })).body.status;
    };
  };
  const early = await codeIn('Early');
  const late = await codeIn('Late');
  const written = await codeIn('Written');
  const shop = await startMessenger({ after });
  const step = (group: string) => ({
    id: `take_${group.toLowerCase()}`,
    type: 'promocode',
    group,
    variable: 'code',
  });
  await add('Gift at once', [step('Late'), message('a', 'Take {{code}}')]);
  await add('Gift after a request', [
    step('Early'),
    { id: 'ask', type: 'request', url: shop.url, method: 'POST', body: '{"code":"{{code}}"}' },
    message('a', 'Take {{code}} and {{promocode:Written}}'),
  ]);
  const { chat } = await partner.client('una');
  partner.messenger.behave(answerWith(404));
  await pushIn(await push(chat, 'Gift at once'), 'UNDELIVERED');
  await pushIn(await push(chat, 'Gift after a request'), 'UNDELIVERED');
  partner.messenger.behave(answerWith(200));
  assert.deepEqual([await late(), await early(), await written()], ['AVAILABLE', 'ISSUED', 'AVAILABLE']);

  await push(chat, 'Gift at once');
  assert.ok((await hears('una', 3)).includes('Take Late-1'));
  assert.equal(await late(), 'ISSUED');
});

test('a first message is not sent once a code of its step has expired or was taken from it', async () => {
  const group = await call('POST', '/api/partners/promocode-groups/', {
    headers: partner.key,
    body: { name: 'Kept' },
  });
  const take = (variable: string) => ({ id: variable, type: 'promocode', group: 'Kept', variable });
  await add('Gift that waits', [take('code'), take('more'), message('a', 'Take {{code}} and {{more}}')]);
  const newCode = async (): Promise<string> => {
    const body = { code: context.newId(), group: group.body.uuid };
    const made = await call('POST', '/api/partners/promocodes/', { headers: partner.key, body });
    return `/api/partners/promocodes/${made.body.uuid}/`;
  };
  const { chat } = await partner.client('kit');
  const details = [];
  for (const [body, ends] of [
    [{ expires_at: clock.now() }, 'UNDELIVERED'],
    [{ status: 'AVAILABLE' }, 'UNDELIVERED'],
    [{}, 'SENT'],
  ] as const) {
    const [path, other] = [await newCode(), await newCode()];
    const resumed = new Date(clock.now().getTime() + 10_000);
    await context.sql`update channel_pace set resume_at = ${resumed} where channel_id = ${partner.channel.id}`;
    const id = await push(chat, 'Gift that waits');
    for (let filled = 0; filled === 0; await new Promise(setImmediate)) {
      filled = (await context.sql`select from messages where id = ${id} and rendered is not null`).length;
    }
    assert.equal((await call('PATCH', path, { headers: partner.key, body })).status, 200);
    clock.advance(10_000);
    context.wake.wake('sending');
    await pushIn(id, ends);
    for (const code of [path, other]) await call('DELETE', code, { headers: partner.key });
    const [row] = await context.sql`select state_detail from messages where id = ${id}`;
    details.push(row?.state_detail);
  }
  assert.deepEqual(details, [
    'The promo code expired before the message was sent.',
    'The promo code is no longer reserved for the message.',
    '',
  ]);
});

test('a run whose scenario cannot be read is not given up, and continues when it can', async () => {
  await add('Waiting', [
    message('hello', 'Hello'),
    { id: 'ask', type: 'ask', text: 'Which?' },
    message('bye', 'Bye'),
  ]);
  const { chat } = await partner.client('ursula');
  await push(chat, 'Waiting');
  await hears('ursula', 2);
  const setVersion = (version: number) =>
    context.sql`update scenario_runs set version = ${version} where chat_id = ${chat}`;
  const run = async () => {
    const [row] = await context.sql<
      [{ status: string; attempts: number; due_at: Date; lease: string | null }]
    >`
      select status, attempts, due_at, lease from scenario_runs where chat_id = ${chat}`;
    return row;
  };
  await setVersion(99);
  await say('ursula', 'this');
  // More often than an interrupted step would be tried.
  for (let time = 0; time < 12; time += 1) {
    let { status, attempts, due_at, lease } = await run();
    while (lease !== null || due_at <= clock.now()) ({ status, attempts, due_at, lease } = await run());
    assert.deepEqual([status, attempts], ['running', 0]);
    if (time === 11) await setVersion(1);
    clock.advance(10_000);
    context.wake.wake('running');
  }
  assert.equal((await hears('ursula', 3))[2], 'Bye');
});
