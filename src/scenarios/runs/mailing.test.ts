import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { seedMailing, seedMailingMessages } from '../../../test/mailing.ts';
import { signIn } from '../../../test/person.ts';
import { openShop } from '../../../test/scenario-harness.ts';
import { scenarioWorker } from '../../../test/scenario-worker.ts';
import { answerWith, holdAnswers, startMessenger } from '../../../test/stand-ins/messenger.ts';
import { recordTurns } from './record.ts';

const patchbay = await startPatchbay({ after });
const partner = await createPartner({ after }, patchbay);
const { add, hears, heard, say, push, pushIn, isOpening, setChannel } = openShop(patchbay, partner);
const { call } = patchbay;
const path = '/api/partners/mailings/';

test('a mailing runs its scenario once for each recipient, and its statistics add up', async () => {
  await add('Offer', [
    {
      id: 'who',
      type: 'branch',
      cases: [{ when: { all: [{ type: 'attribute', name: 'bob' }] }, next: 'end' }],
    },
    { id: 'a', type: 'message', text: '{{name}}, {{offer}}' },
    { id: 'q', type: 'ask', text: 'Yes?', keep: { variable: 'answer' } },
    { id: 'b', type: 'message', text: 'You said {{answer}}' },
    { id: 'end', type: 'end' },
  ]);
  for (const name of ['ann', 'bob', 'eve']) await partner.client(name);
  const created = await call('POST', path, {
    headers: partner.token,
    body: {
      name: 'Offers',
      node_name: 'Offer',
      node_get_params: [{ name: 'offer', value: 'half price' }],
      filter_chats: { all: [] },
    },
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  for (const name of ['ann', 'eve']) {
    assert.deepEqual(await hears(name, 2), [`${name}, half price`, 'Yes?']);
  }
  await say('ann', 'of course');
  assert.equal((await hears('ann', 3))[2], 'You said of course');
  for (;;) {
    const { body } = await call('GET', `${path}${created.body.uuid}/`, { headers: partner.token });
    if (body.state !== 'completed') continue;
    const { count_planned, count_sent, count_undelivered, count_replied } = body.statistics;
    assert.deepEqual([count_planned, count_sent, count_undelivered, count_replied], [3, 2, 1, 1]);
    break;
  }
  assert.deepEqual(heard('bob'), []);
});

test('no scenario begins after the moment by which its mailing is done', async () => {
  const { sql, wake } = patchbay.context;
  await add('Late', [{ id: 'a', type: 'message', text: 'Too late' }]);
  await add('Soon', [{ id: 'a', type: 'message', text: 'In time' }]);
  const { chat } = await partner.client('ian');
  const start = (node: string, finishBy: Date) =>
    sql.begin(async (transaction) => {
      const mailing = await seedMailing(transaction, partner.projectId);
      await transaction`
        update mailings set node_name = ${node}, content_type = 'NODE', finish_by = ${finishBy}
        where id = ${mailing}`;
      const [id = ''] = await seedMailingMessages(transaction, partner.projectId, mailing, [
        { chat, content_type: 'NODE' },
      ]);
      await transaction`update messages set channel_id = null where id = ${id}`;
      return id;
    });
  const late = await start('Late', new Date(0));
  await start('Soon', new Date('2099-01-01'));
  wake.wake('running');
  assert.deepEqual(await hears('ian', 1), ['In time']);
  const [{ state, due_at }] = await sql<[{ state: string; due_at: Date | null }]>`
    select state, due_at from messages where id = ${late}`;
  assert.deepEqual([state, due_at === null], ['PENDING', false]);
});

test('a mailing that a person approved sends the version of its scenario that they saw', async () => {
  const { sql, wake } = patchbay.context;
  const { projectId } = partner;
  const [{ headers }, second] = [
    await signIn(patchbay.context, { projectId, name: 'Olga' }),
    await signIn(patchbay.context, { projectId, name: 'Ivan' }),
  ];
  const { id } = await add('Sale', [{ id: 'a', type: 'message', text: 'Approved' }]);
  await partner.client('kim');
  await call('PATCH', '/console/api/settings/', { headers, body: { needs_approval: true } });
  const { body: mailing } = await call('POST', '/console/api/mailings/', {
    headers,
    body: {
      name: 'Sale',
      node_name: 'Sale',
      filter_chats: { all: [{ type: 'attribute', name: 'kim' }] },
      planned_at: '2099-01-01T00:00:00Z',
    },
  });
  const approval = await call('POST', `/console/api/mailings/${mailing.uuid}/approve/`, {
    headers: second.headers,
    body: { revision: 0, scenarios: [{ id, version: 1 }] },
  });
  assert.equal(approval.status, 204, JSON.stringify(approval.body));
  await add('Sale', [{ id: 'a', type: 'message', text: 'Never approved' }]);
  await sql`update mailings set due_at = now() where id = ${mailing.uuid}`;
  wake.wake('planning');
  assert.deepEqual(await hears('kim', 1), ['Approved']);
});

const ending = [
  { id: 'a', type: 'message', text: 'First' },
  { id: 'b', type: 'message', text: 'Second' },
  { id: 'w', type: 'wait', for: { seconds: 1 } },
  { id: 'c', type: 'message', text: 'Third' },
];

/** Sends a mailing with a scenario to one client while the channel is paused. Resolves when its first message waits. */
async function sendLater(name: string): Promise<string> {
  const { chat } = await partner.client(name);
  await setChannel('paused');
  const { status, body } = await call('POST', path, {
    headers: partner.key,
    body: {
      name: 'Ending',
      node_name: 'Ending',
      customer_filter_field: 'CHAT_UUID',
      customer_filter_array: [chat],
    },
  });
  assert.equal(status, 201, JSON.stringify(body));
  while (!(await isOpening(chat))) await new Promise(setImmediate);
  await scenariosRest();
  return chat;
}

/** Resolves when no run has anything to do now. */
async function scenariosRest(): Promise<void> {
  const { sql, wake, clock } = patchbay.context;
  const due = () => sql`select from scenario_runs where lease is not null or due_at <= ${clock.now()}`;
  while ((await due()).length > 0) {
    wake.wake('running');
    await new Promise(setImmediate);
  }
}

const statesOf = async (chat: string): Promise<string[]> => {
  const rows = await patchbay.context.sql<{ state: string }[]>`
    select state from messages where chat_id = ${chat} and direction = 'out' order by id`;
  return rows.map(({ state }) => state);
};

const isRunning = async (chat: string): Promise<boolean> => {
  const rows = await patchbay.context.sql`
    select from scenario_runs where chat_id = ${chat} and status = 'running'`;
  return rows.length > 0;
};

/** Resolves when the run has begun, or will not. */
async function opened(chat: string): Promise<void> {
  while (await isOpening(chat)) await new Promise(setImmediate);
}

test('a scenario’s further messages are not sent to a client who left the mailings before its first one', async () => {
  await add('Ending', ending);
  const chat = await sendLater('lea');
  await patchbay.context.sql`update chats set unsubscribed_at = now() where id = ${chat}`;
  await setChannel('active');
  await opened(chat);
  assert.equal(await isRunning(chat), false);
  assert.deepEqual(await statesOf(chat), ['UNDELIVERED']);
  assert.deepEqual(heard('lea'), []);
});

test('a scenario’s further messages are not sent when its mailing’s first message did not reach the client', async () => {
  const chat = await sendLater('moe');
  partner.messenger.behave(answerWith(404));
  await setChannel('active');
  await opened(chat);
  partner.messenger.behave(answerWith(200));
  assert.equal(await isRunning(chat), false);
  assert.deepEqual(await statesOf(chat), ['UNDELIVERED']);
  assert.deepEqual(heard('moe'), ['First']);
});

test('a scenario goes on only when its first message was sent', async () => {
  const { sql } = patchbay.context;
  await add('Ending', [
    { id: 'a', type: 'message', text: 'First' },
    { id: 'o', type: 'operator', title: 'Help' },
  ]);
  const chat = await sendLater('ned');
  const sessions = () => sql`select from sessions where chat_id = ${chat} and closed_at is null`;
  assert.equal((await sessions()).length, 0);
  await setChannel('active');
  await hears('ned', 1);
  while ((await sessions()).length === 0) await new Promise(setImmediate);
  assert.deepEqual(await statesOf(chat), ['SENT']);
});

const survey = [
  { id: 'q', type: 'ask', text: 'Colour?', keep: { variable: 'colour' } },
  { id: 'b', type: 'message', text: 'Thanks for {{colour}}' },
];

/** A client who was asked for a colour, before the same scenario is sent by a mailing. */
async function asked(name: string): Promise<string> {
  await add('Survey', survey);
  await add('Ending', [{ id: 'a', type: 'message', text: 'First' }]);
  const { chat } = await partner.client(name);
  await push(chat, 'Survey');
  assert.deepEqual(await hears(name, 1), ['Colour?']);
  while (!(await isRunning(chat))) await new Promise(setImmediate);
  return chat;
}

test('a mailing that does not reach a client leaves the conversation that the client is in', async () => {
  const chat = await asked('pat');
  await sendLater('pat');
  await patchbay.context.sql`update chats set unsubscribed_at = now() where id = ${chat}`;
  await setChannel('active');
  await opened(chat);
  assert.equal(await isRunning(chat), true);
  await say('pat', 'blue');
  assert.deepEqual(await hears('pat', 2), ['Colour?', 'Thanks for blue']);
});

test('a client goes on with the conversation before a mailing’s first message arrives', async () => {
  await asked('uma');
  await sendLater('uma');
  await say('uma', 'green');
  await setChannel('active');
  const [first, ...others] = await hears('uma', 3);
  assert.equal(first, 'Colour?');
  assert.deepEqual(others.toSorted(), ['First', 'Thanks for green']);
});

test('what a client writes while a scenario makes a request before its first message is heard by their conversation', async (t) => {
  const shop = await startMessenger(t);
  const { waits, release } = holdAnswers(shop);
  const chat = await asked('xena');
  await add('Asking', [
    { id: 'r', type: 'request', url: shop.url },
    { id: 'a', type: 'message', text: 'Asked' },
  ]);
  await push(chat, 'Asking');
  await waits();
  await say('xena', 'black');
  await release();
  assert.deepEqual((await hears('xena', 3)).toSorted(), ['Asked', 'Colour?', 'Thanks for black']);
});

test('an answer is heard that comes while the question is being sent', async () => {
  await add('Survey', survey);
  const { chat } = await partner.client('ruth');
  const { release } = holdAnswers(partner.messenger);
  await push(chat, 'Survey');
  assert.deepEqual(await hears('ruth', 1), ['Colour?']);
  await say('ruth', 'brown');
  partner.messenger.behave(answerWith(200));
  await release();
  assert.deepEqual(await hears('ruth', 2), ['Colour?', 'Thanks for brown']);
});

test('what is said while a first message fails is forgotten', async () => {
  const { sql, wake } = patchbay.context;
  const { chat } = await partner.client('sven');
  const { release } = holdAnswers(partner.messenger, answerWith(404));
  const uuid = await push(chat, 'Survey');
  await hears('sven', 1);
  await say('sven', 'brown');
  partner.messenger.behave(answerWith(200));
  await release();
  await pushIn(uuid, 'UNDELIVERED');
  wake.wake('running');
  await opened(chat);
  assert.equal((await sql`select from scenario_mail where chat_id = ${chat}`).length, 0);
  await push(chat, 'Survey');
  assert.deepEqual(await hears('sven', 2), ['Colour?', 'Colour?']);
  await say('sven', 'ochre');
  assert.deepEqual((await hears('sven', 3))[2], 'Thanks for ochre');
});

test('a mailing that reaches a client ends the conversation that the client was in', async () => {
  const chat = await asked('quinn');
  await sendLater('quinn');
  await setChannel('active');
  assert.deepEqual(await hears('quinn', 2), ['Colour?', 'First']);
  await opened(chat);
  while (await isRunning(chat)) await new Promise(setImmediate);
});

test('a push that is cancelled before it is sent leaves the conversation that the client is in', async () => {
  const chat = await asked('rob');
  await setChannel('paused');
  const uuid = await push(chat, 'Ending');
  while (!(await isOpening(chat))) await new Promise(setImmediate);
  const cancelled = await call('POST', `/api/partners/push-messages/${uuid}/cancel/`, {
    headers: partner.key,
  });
  assert.equal(cancelled.status, 204);
  patchbay.context.wake.wake('running');
  await opened(chat);
  await setChannel('active');
  assert.equal(await isRunning(chat), true);
  await say('rob', 'red');
  assert.deepEqual(await hears('rob', 2), ['Colour?', 'Thanks for red']);
});

test('a scenario that waits before its first message leaves the chat to the conversation', async () => {
  const { sql, clock, wake } = patchbay.context;
  const chat = await asked('will');
  await add('Slow', [
    { id: 'w', type: 'wait', for: { hours: 1 } },
    { id: 'a', type: 'message', text: 'Slow' },
  ]);
  const uuid = await push(chat, 'Slow');
  while (!(await isOpening(chat))) await new Promise(setImmediate);
  await say('will', 'grey');
  assert.deepEqual(await hears('will', 2), ['Colour?', 'Thanks for grey']);
  await scenariosRest();
  // The hour is over.
  await sql`
    update scenario_openings set due_at = ${clock.now()},
      state = jsonb_set(state, '{at,for,until}', to_jsonb(${clock.now().toISOString()}::text))
    where chat_id = ${chat}`;
  wake.wake('running');
  assert.deepEqual(await hears('will', 3), ['Colour?', 'Thanks for grey', 'Slow']);
  await pushIn(uuid, 'SENT');
  await opened(chat);
});

test('a start ends the one before that has sent nothing yet', async () => {
  const { chat } = await partner.client('xaver');
  const first = await push(chat, 'Slow');
  while (!(await isOpening(chat))) await new Promise(setImmediate);
  await push(chat, 'Slow');
  const { state } = await pushIn(first, 'ERROR');
  assert.equal(state.detail, 'Another scenario began before this one had sent anything.');
  while (!(await isOpening(chat))) await new Promise(setImmediate);
  assert.deepEqual(heard('xaver'), []);
});

test('a push whose first message fails leaves the conversation, and nothing follows it', async () => {
  const chat = await asked('yara');
  await add('Ending', ending);
  await setChannel('paused');
  const uuid = await push(chat, 'Ending');
  while (!(await isOpening(chat))) await new Promise(setImmediate);
  partner.messenger.behave(answerWith(404));
  await setChannel('active');
  await pushIn(uuid, 'UNDELIVERED');
  partner.messenger.behave(answerWith(200));
  await opened(chat);
  await say('yara', 'pink');
  assert.deepEqual(await hears('yara', 3), ['Colour?', 'First', 'Thanks for pink']);
});

/** The uuid of the last message to a client. */
const lastSent = (name: string): string =>
  partner.messenger.deliveries.findLast(({ body }) => body.payload.chat.external_id === name)?.body.payload
    .message.uuid;

/** The messenger reports that a sent message did not arrive. */
async function fails(uuid: string): Promise<void> {
  const { status } = await call('POST', `/channels/${partner.channel.id}/receipts/`, {
    headers: { authorization: `Bearer ${partner.channel.secret}` },
    body: { message: { uuid }, state: 'undelivered' },
  });
  assert.equal(status, 200);
  patchbay.context.wake.wake('running');
}

test('a mailing’s message that fails after it was sent ends its scenario', async () => {
  await add('Ending', [{ id: 'a', type: 'ask', text: 'First' }]);
  const chat = await sendLater('otto');
  await setChannel('active');
  await hears('otto', 1);
  await opened(chat);
  await scenariosRest();
  assert.equal(await isRunning(chat), true);
  await fails(lastSent('otto'));
  while (await isRunning(chat)) await new Promise(setImmediate);
});

test('a mailing’s message that fails after it was sent gives the conversation back', async () => {
  const chat = await asked('zack');
  await add('Ending', [{ id: 'a', type: 'ask', text: 'First' }]);
  await sendLater('zack');
  await setChannel('active');
  assert.deepEqual(await hears('zack', 2), ['Colour?', 'First']);
  await opened(chat);
  await scenariosRest();
  const sent = lastSent('zack');
  // Another one that has sent nothing yet changes nothing.
  await push(chat, 'Slow');
  while (!(await isOpening(chat))) await new Promise(setImmediate);
  await fails(sent);
  const isAsked = async () =>
    (
      await patchbay.context
        .sql`select from scenario_runs where chat_id = ${chat} and state #>> '{at,step}' = 'q'`
    ).length > 0;
  while (!(await isAsked())) await new Promise(setImmediate);
  await say('zack', 'mauve');
  assert.deepEqual(await hears('zack', 3), ['Colour?', 'First', 'Thanks for mauve']);
});

test('a scenario goes on that works on its client’s answer when its mailing’s message fails', async (t) => {
  const shop = await startMessenger(t);
  const { waits, release } = holdAnswers(shop);
  const chat = await asked('zoe');
  await add('Ending', [
    { id: 'a', type: 'ask', text: 'First', keep: { variable: 'colour' } },
    { id: 'r', type: 'request', url: shop.url },
    { id: 'b', type: 'message', text: 'Second {{colour}}' },
  ]);
  await sendLater('zoe');
  await setChannel('active');
  await hears('zoe', 2);
  await opened(chat);
  await say('zoe', 'teal');
  await waits();
  await fails(lastSent('zoe'));
  await release();
  assert.deepEqual(await hears('zoe', 3), ['Colour?', 'First', 'Second teal']);
});

test('what a client writes while a mailing’s message fails is heard by their conversation', async () => {
  const { context } = patchbay;
  const { sql, clock, newId } = context;
  const chat = await asked('abel');
  await add('Ending', [
    { id: 'a', type: 'ask', text: 'First' },
    { id: 'b', type: 'message', text: 'Second' },
  ]);
  await sendLater('abel');
  await setChannel('active');
  await hears('abel', 2);
  await opened(chat);
  await scenariosRest();
  // The test is the worker that hears the client, and records its turn after the failure.
  const now = new Date(clock.now().getTime() + 60_000);
  await sql`update scenario_runs set lease = ${newId()}, due_at = ${now} where chat_id = ${chat}`;
  await say('abel', 'plum');
  const turn = await scenarioWorker(context, partner.projectId).performIn(chat, now);
  assert.equal(turn.state.at.kind, 'ended');
  await fails(lastSent('abel'));
  await recordTurns(context, [turn]);
  patchbay.context.wake.wake('running');
  assert.deepEqual(await hears('abel', 3), ['Colour?', 'First', 'Thanks for plum']);
});

test('a scenario that ends before its first message leaves the conversation that the client is in', async () => {
  const chat = await asked('vera');
  await add('Mute', [{ id: 'end', type: 'end' }]);
  await push(chat, 'Mute');
  while ((await statesOf(chat)).at(-1) !== 'ERROR') await new Promise(setImmediate);
  assert.equal(await isRunning(chat), true);
  await say('vera', 'white');
  assert.deepEqual(await hears('vera', 2), ['Colour?', 'Thanks for white']);
});

test('a mailing’s message is sent before its scenario hands over to an operator', async () => {
  await add('Help', [{ id: 'o', type: 'operator', text: 'To a person', title: 'Help' }]);
  const { chat } = await partner.client('sam');
  const { status } = await call('POST', path, {
    headers: partner.key,
    body: {
      name: 'Help',
      node_name: 'Help',
      customer_filter_field: 'CHAT_UUID',
      customer_filter_array: [chat],
    },
  });
  assert.equal(status, 201);
  assert.deepEqual(await hears('sam', 1), ['To a person']);
  const opened = () => patchbay.context.sql`
    select from sessions where chat_id = ${chat} and closed_at is null`;
  while ((await opened()).length === 0) await new Promise(setImmediate);
  assert.deepEqual(await statesOf(chat), ['SENT']);
});
