import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';
import { openShop } from '../../../test/scenario-harness.ts';
import { seedChannel } from '../../../test/seed.ts';
import { platforms } from '../../channels/contract/platforms.ts';
import { standingOf } from '../../clients/consent/standing-store.ts';
import { receiveEvents } from './receive.ts';

const patchbay = await startPatchbay({ after });
const { call, context } = patchbay;
const { sql } = context;

async function scene(t: TestContext) {
  const partner = await createPartner(t, patchbay);
  const { projectId } = partner;
  const { headers } = await signIn(context, { projectId });
  const send = async (method: string, path: string, body?: object) => {
    const answer = await call(method, `/console/api/${path}`, { headers, ...(body && { body }) });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const standing = (profileId: string) => standingOf(sql, { projectId, profileId });
  return { partner, send, standing, ...openShop(patchbay, partner) };
}

test('a word ends mailings and is answered, another brings them back, and case and spaces do not matter', async (t) => {
  const { partner, say, hears, standing } = await scene(t);
  const { profile } = await partner.client('ann');
  for (const [index, word] of ['STOP', ' стоп ', 'Отписаться'].entries()) {
    await say('ann', word);
    assert.equal((await standing(profile)).everything?.by, 'word', word);
    const answers = await hears('ann', 2 * index + 1);
    assert.match(answers.at(-1) ?? '', index === 0 ? /no more mailings.*“start”/ : /не будем.*«старт»/);
    await say('ann', index === 0 ? 'Start' : 'СТАРТ');
    assert.equal((await standing(profile)).everything, null);
    await hears('ann', 2 * index + 2);
  }
});

test('a word within a sentence changes nothing, and who left nothing cannot come back', async (t) => {
  const { partner, say, standing } = await scene(t);
  const { profile } = await partner.client('ann');
  for (const text of ['Please stop', 'stop it', 'Стоп, а доставка?', 'stopped', 'start'])
    await say('ann', text);
  assert.equal((await standing(profile)).everything, null);
  const [messages] = await sql`
    select count(*)::int as sent from messages where project_id = ${partner.projectId} and direction = 'out'`;
  assert.equal(messages?.sent, 0);
});

test('a word counts on every platform', async (t) => {
  const { partner } = await scene(t);
  const { projectId } = partner;
  for (const platform of platforms) {
    const channel = { projectId, id: await seedChannel(sql, projectId, platform), platform, name: platform };
    const message = {
      externalId: `stop-${platform}`,
      type: 'text' as const,
      text: 'Stop',
      url: null,
      payload: null,
    };
    await receiveEvents(context, channel, [
      { kind: 'message', chat: { externalId: `on-${platform}` }, message },
    ]);
  }
  const rows = await sql`
    select platform from chats where project_id = ${projectId} and unsubscribed_by = 'word' order by platform`;
  assert.deepEqual(
    rows.map(({ platform }) => platform),
    platforms.toSorted(),
  );
});

test('the words and answers of a project are its own, and an empty answer is not sent', async (t) => {
  const { partner, send, say, hears, standing } = await scene(t);
  const { profile } = await partner.client('ann');
  await send('PATCH', 'settings/', { leave_words: [' NO More '], leave_answer: 'Bye', return_answer: '' });
  await say('ann', 'stop');
  assert.equal((await standing(profile)).everything, null);
  await say('ann', 'no more');
  assert.equal((await standing(profile)).everything?.by, 'word');
  assert.deepEqual(await hears('ann', 1), ['Bye']);
  await say('ann', 'start');
  assert.equal((await standing(profile)).everything, null);
  const [row] = await sql`
    select count(*)::int as answers from messages where project_id = ${partner.projectId} and direction = 'out'`;
  assert.equal(row?.answers, 1);
  const refused = await call('PATCH', '/console/api/settings/', {
    headers: (await signIn(context, { projectId: partner.projectId })).headers,
    body: { leave_words: ['  '] },
  });
  assert.equal(refused.status, 400);
});

test('the word of a topic leaves that topic alone', async (t) => {
  const { partner, send, say, hears, standing } = await scene(t);
  const { profile } = await partner.client('ann');
  await send('POST', 'topics/', { name: 'Sales', words: ['No sales'] });
  await say('ann', 'no sales');
  const { everything, topics } = await standing(profile);
  assert.deepEqual([everything, topics.map(({ name, by }) => [name, by])], [null, [['Sales', 'word']]]);
  assert.match((await hears('ann', 1))[0] ?? '', /“Sales”/);
  await say('ann', 'start');
  assert.deepEqual((await standing(profile)).topics, []);
});

test('a text that leaves is not heard by a scenario, and a button that leaves is', async (t) => {
  const { partner, add, push, say, hears, standing } = await scene(t);
  const { chat, profile } = await partner.client('ann');
  await add('Ask', [
    { id: 'q', type: 'ask', text: 'Your city?', keep: { variable: 'city' } },
    { id: 'b', type: 'message', text: 'So {{city}}' },
  ]);
  await push(chat, 'Ask');
  await hears('ann', 1);
  await say('ann', 'stop');
  await say('ann', 'Oslo');
  const [, , answer] = await hears('ann', 3);
  assert.equal(answer, 'So Oslo');
  await say('ann', 'start');
  await push(chat, 'Ask');
  await hears('ann', 5);
  await say('ann', 'Stop', 'p1');
  assert.equal((await standing(profile)).everything?.by, 'button');
  assert.ok((await hears('ann', 7)).includes('So Stop'));
});

test('a button leaves by its label on a channel that names it by its payload alone', async (t) => {
  const { partner, add, push, press, say, hears, standing } = await scene(t);
  const { chat, profile } = await partner.client('ann');
  const buttons = [
    { text: 'Yes', payload: 'y', next: 'b' },
    { text: ' Стоп', payload: 'n', next: 'b' },
    { text: 'Stop', next: 'b' },
  ];
  await add('Ask', [
    { id: 'q', type: 'message', text: 'More?', buttons },
    { id: 'b', type: 'message', text: 'Pressed' },
  ]);
  await push(chat, 'Ask');
  await hears('ann', 1);
  await press('ann', 'y');
  await hears('ann', 2);
  await press('ann', 'unknown');
  assert.equal((await standing(profile)).everything, null);
  for (const [index, button] of ['n', 'Stop'].entries()) {
    const before = 2 + 4 * index;
    await push(chat, 'Ask');
    await hears('ann', before + 1);
    await press('ann', button);
    assert.equal((await standing(profile)).everything?.by, 'button', button);
    const heard = (await hears('ann', before + 3)).slice(before + 1);
    assert.ok(heard.includes('Pressed'), button);
    assert.match(heard.join(), index === 0 ? /не будем/ : /no more mailings/);
    await say('ann', 'start');
    await hears('ann', before + 4);
  }
});

test('a press without a label is of the last message with such a button that was sent', async (t) => {
  const { partner, add, push, press, hears, setChannel, standing } = await scene(t);
  const ann = await partner.client('ann');
  const bob = await partner.client('bob');
  for (const [name, text] of [
    ['First', 'Stop'],
    ['Second', 'Yes'],
  ]) {
    await add(String(name), [{ id: 'q', type: 'message', text: name, buttons: [{ text, payload: '1' }] }]);
  }
  await push(ann.chat, 'First');
  await push(bob.chat, 'First');
  await hears('ann', 1);
  await hears('bob', 1);
  await push(ann.chat, 'Second');
  await hears('ann', 2);
  await press('ann', '1');
  assert.equal((await standing(ann.profile)).everything, null);

  await setChannel('paused');
  await push(bob.chat, 'Second');
  const written = () =>
    sql`select from messages where chat_id = ${bob.chat} and rendered ->> 'text' = 'Second'`;
  while ((await written()).length === 0);
  await press('bob', '1');
  assert.equal((await standing(bob.profile)).everything?.by, 'button');
});

test('a word reaches no operator’s queue, and push messages go on', async (t) => {
  const { partner, send, say, hears } = await scene(t);
  await send('PATCH', 'settings/', { open_session_on_message: true });
  const { chat } = await partner.client('ann');
  await sql`update sessions set closed_at = now() where project_id = ${partner.projectId}`;
  await say('ann', 'stop');
  const open = await sql`select from sessions where chat_id = ${chat} and closed_at is null`;
  assert.equal(open.length, 0);
  const pushed = await call('POST', '/api/partners/push-messages/', {
    headers: partner.key,
    body: { chat: { uuid: chat }, content: { type: 'TEXT', text: 'Your code' } },
  });
  assert.equal(pushed.status, 201);
  assert.deepEqual((await hears('ann', 2)).includes('Your code'), true);
});
