import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { openShop } from '../../../../test/scenario-harness.ts';
import { seedChat } from '../../../../test/seed.ts';
import { answerWith } from '../../../../test/stand-ins/messenger.ts';
import { addTemplateChannel } from '../../../../test/template-channel.ts';
import { sentScenarios } from '../../../mailings/approval-store.ts';
import { importScenario } from '../../../scenarios/import.ts';

const patchbay = await startPatchbay({ after });
const { call, context } = patchbay;
const partner = await createPartner({ after }, patchbay);
const { projectId, messenger, key } = partner;
const { pushIn } = openShop(patchbay, partner);
const { headers } = await signIn(context, { projectId });
const ask = async (method: string, path: string, body?: object) =>
  call(method, `/console/api/mailings/${path}`, { headers, ...(body && { body }) });
const set = (body: object) => call('PATCH', '/console/api/settings/', { headers, body });

const ann = await partner.client('ann');
const bob = await partner.client('bob');
const cid = await partner.client('cid');
const everybody = { filter_chats: { all: [] } };
const sale = { name: 'Sale', text: 'Hi {{name}}: https://shop.test/{{name}}', ...everybody };
const later = { planned_at: '2099-01-01T00:00:00Z' };
const start = (body: object) => ask('POST', '', { ...body, ...later });
const send = (body: object, colleagues = [ann.profile]) => ask('POST', 'test/', { ...body, colleagues });

/** Sends a test. Resolves when its messages have ended, with their states. */
async function tested(body: object): Promise<string[]> {
  const { status, body: answer } = await send(body);
  assert.equal(status, 200, JSON.stringify(answer));
  const states: string[] = [];
  for (const { push } of answer.results) states.push((await pushIn(push, 'SENT', 'UNDELIVERED')).state.code);
  return states;
}

const refusal =
  'A mailing that may reach more than 2 recipients starts after it was sent to a colleague as it is now.';

test('colleagues are clients who were marked, and are listed with their messenger', async () => {
  for (const { profile } of [bob, ann, ann]) {
    assert.equal((await ask('PUT', `colleagues/${profile}/`)).status, 204);
  }
  assert.equal((await ask('DELETE', `colleagues/${bob.profile}/`)).status, 204);
  const { body } = await ask('GET', 'colleagues/');
  const profile = { uuid: ann.profile, name: 'ann' };
  assert.deepEqual(body.results, [{ profile, platform: 'API_Messenger' }]);
});

test('a test is a push message with the recipient’s values, and no mailing counts it', async () => {
  const before = (await ask('GET', '')).body.count;
  const { status, body } = await send(sale, [ann.profile, cid.profile]);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.results.length, 1, 'a client who is no colleague gets nothing');
  const [sent] = body.results;
  const [delivery] = await messenger.received(1);
  assert.equal(delivery?.body.payload.message.text, 'Hi ann: https://shop.test/ann');
  const push = await call('GET', `/api/partners/push-messages/${sent.push}/`, { headers: key });
  assert.equal(push.body.chat.uuid, ann.chat);
  assert.equal((await ask('GET', '')).body.count, before);
});

test('a colleague without a chat in the mailing’s messengers is named, and that counts as no test', async () => {
  await set({ test_above: 2 });
  await context.sql`update chats set stopped_at = created_at where id = ${ann.chat}`;
  const { body } = await send({ ...sale, text: 'Unsent' });
  assert.match(body.results[0].problem, /no chat/);
  await context.sql`update chats set stopped_at = null where id = ${ann.chat}`;
  assert.equal((await start({ ...sale, text: 'Unsent' })).body.detail, refusal);
  assert.equal((await send({ ...sale, text: 'Unsent' }, [cid.profile])).status, 400);
});

test('a colleague who has left the topic, or every mailing, is named with the reason, and gets nothing', async () => {
  const { sql } = context;
  const made = await call('POST', '/console/api/topics/', {
    headers,
    body: { name: 'News', description: '', words: [] },
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const leave = (topic: string | null) =>
    call('POST', `/console/api/profiles/${ann.profile}/consent/`, {
      headers,
      body: { topic, subscribed: false },
    });
  const told = async (body: object) => {
    const { results } = (await send(body)).body;
    return [results.length, results[0].push !== null, results[0].problem];
  };
  assert.ok((await leave(made.body.uuid)).status < 300);
  const about = { ...sale, text: 'Left', topic: 'News' };
  assert.deepEqual(await told(about), [1, false, 'The client has left the topic of the mailing.']);
  assert.deepEqual(await told({ ...about, topic: null }), [1, true, null]);
  await sql`update chats set unsubscribed_at = created_at where id = ${ann.chat}`;
  assert.match((await told({ ...about, topic: null }))[2], /unsubscribed/);
  await sql`update chats set unsubscribed_at = null where id = ${ann.chat}`;
});

test('a mailing to more than the project’s size starts only after a test of this content', async () => {
  const fresh = { ...sale, text: 'Autumn, {{name}}' };
  const { status, body } = await start(fresh);
  assert.deepEqual([status, body], [400, { detail: refusal }]);
  assert.equal((await ask('POST', 'dry-run/', fresh)).body.needs_test_above, 2);
  assert.deepEqual(await tested(fresh), ['SENT']);
  assert.equal((await ask('POST', 'dry-run/', fresh)).body.needs_test_above, null);
  assert.equal((await start({ ...fresh, name: 'Another name' })).status, 201);
  const changed = { ...fresh, text: 'Autumn, {{name}}!' };
  assert.equal((await start(changed)).body.detail, refusal);
});

test('a test that the messenger refuses is none, and one that arrives afterwards is', async () => {
  const refused = { ...sale, text: 'Refused, {{name}}' };
  messenger.behave(answerWith(422));
  assert.deepEqual(await tested(refused), ['UNDELIVERED']);
  assert.equal((await start(refused)).body.detail, refusal);
  messenger.behave(answerWith(200));
  assert.deepEqual(await tested(refused), ['SENT']);
  assert.equal((await start(refused)).status, 201);
});

test('of a mailing in variants each must have been sent', async () => {
  const two = { ...sale, text: 'Good', ab_test: { variants: [{ share: 50, text: 'Bad' }] } };
  messenger.behave((delivery, response) =>
    answerWith(delivery.body.payload.message.text === 'Bad' ? 422 : 200)(delivery, response),
  );
  assert.deepEqual(await tested(two), ['SENT', 'UNDELIVERED']);
  assert.equal((await start(two)).body.detail, refusal);
  messenger.behave(answerWith(200));
  assert.deepEqual(await tested(two), ['SENT', 'SENT']);
  assert.equal((await start(two)).status, 201);
});

test('a small audience, a draft, and a mailing of a partner’s program need no test', async () => {
  const few = {
    name: 'Few',
    text: 'Few',
    customer_filter_field: 'UUID',
    customer_filter_array: [ann.profile, bob.profile],
  };
  assert.equal((await start(few)).status, 201);
  const draft = await ask('POST', '', { name: 'Draft', text: 'Untested' });
  assert.equal(draft.status, 201);
  const whole = { name: 'Draft', text: 'Untested', ...everybody, ...later };
  assert.equal((await ask('PUT', `${draft.body.uuid}/`, whole)).body.detail, refusal);
  assert.deepEqual(await tested(whole), ['SENT']);
  assert.equal((await ask('PUT', `${draft.body.uuid}/`, whole)).status, 200);
  const program = { ...sale, text: 'By a program', ...later };
  const { status } = await call('POST', '/api/partners/mailings/', { headers: key, body: program });
  assert.equal(status, 201);
});

test('an audience whose size is unknown before the start needs a test', async () => {
  const file = { customer_filter_field: 'UUID', customer_filter_file: `${messenger.url}/list.csv` };
  const { body } = await start({ name: 'File', text: 'From a file', ...file });
  assert.equal(body.detail, refusal);
});

test('a filter that may find more clients by the start needs a test', async () => {
  const one = {
    name: 'Grows',
    text: 'Grows',
    filter_chats: { all: [{ type: 'attribute', uuid: ann.chat }] },
  };
  assert.equal((await ask('POST', 'dry-run/', one)).body.needs_test_above, null);
  for (const time of [later, { regular_cron: '0 9 * * *' }]) {
    assert.equal((await ask('POST', '', { ...one, ...time })).body.detail, refusal);
    assert.equal((await ask('POST', 'dry-run/', { ...one, ...time })).body.needs_test_above, 2);
  }
  assert.deepEqual(await tested(one), ['SENT']);
  assert.equal((await start(one)).status, 201);
});

test('of a mixed mailing the template and the text must have been sent', async () => {
  const { sql } = context;
  const channelId = await addTemplateChannel(context, projectId);
  const mixed = { ...sale, text: 'Mixed', template_whatsapp: 'order', template_variables: {} };
  assert.deepEqual(await tested(mixed), ['SENT']);
  const both = `${refusal} Both the template and the text or scenario must have been sent.`;
  assert.equal((await start(mixed)).body.detail, both);
  await seedChat(sql, projectId, { channelId, platform: 'Whatsapp', profileId: ann.profile });
  const { results } = (await send(mixed)).body;
  const [asTemplate, elsewhere] = results;
  assert.deepEqual([asTemplate.platform, elsewhere.platform], ['Whatsapp', 'API_Messenger']);
  assert.equal((await start(mixed)).body.detail, both);
  for (const state of ['IN_PROCESS', 'SENT']) {
    await sql`update messages set state = ${state} where id = ${asTemplate.push}`;
  }
  assert.equal((await start(mixed)).status, 201);
  const byPhone = { ...mixed, filter_chats: null, phone_numbers_file: `${messenger.url}/phones.csv` };
  assert.equal((await start(byPhone)).status, 201, 'they get the template only');
});

test('a scenario that was published again since its test is tested again', async () => {
  const save = (text: string) =>
    importScenario(context, {
      projectId,
      file: Buffer.from(JSON.stringify({ name: 'Poll', steps: [{ id: 'hi', type: 'message', text }] })),
    });
  const { id } = await save('One');
  const poll = { name: 'Poll', node: id, ...everybody };
  assert.deepEqual(await tested(poll), ['SENT']);
  const planned = await start(poll);
  assert.equal(planned.status, 201);
  await set({ needs_approval: true });
  const { body: awaiting } = await start(poll);
  await save('Two');
  const versionOf = async (uuid: string) => {
    const [{ sent }] = await context.sql<[{ sent: { version: number }[] }]>`
      select ${sentScenarios(context.sql)} as sent from mailings where id = ${uuid}`;
    return sent.map(({ version }) => version);
  };
  assert.deepEqual(await versionOf(planned.body.uuid), [1], 'what was tested is sent');
  assert.equal((await start(poll)).body.detail, refusal);

  const second = await signIn(context, { projectId });
  const approve = (version: number) =>
    call('POST', `/console/api/mailings/${awaiting.uuid}/approve/`, {
      headers: second.headers,
      body: { revision: 0, scenarios: [{ id, version }] },
    });
  assert.equal((await approve(2)).status, 400);
  assert.equal((await approve(1)).status, 204);
  assert.deepEqual(await versionOf(awaiting.uuid), [1], 'what was tested is approved');
  await set({ needs_approval: false });
});

test('a test goes out in every variant, and counts for all of them together', async () => {
  const both = { ...sale, text: 'First', ab_test: { variants: [{ share: 50, text: 'Second' }] } };
  const { results } = (await send(both)).body;
  for (const { push } of results) await pushIn(push, 'SENT');
  assert.deepEqual(
    results.map(({ variant, problem }: { variant: number; problem: string | null }) => [variant, problem]),
    [
      [1, null],
      [2, null],
    ],
  );
  const { body } = await set({ test_above: 0 });
  assert.equal(body.test_above, 0, JSON.stringify(body));
  assert.equal((await start(both)).status, 201);
  const other = { ...both, ab_test: { variants: [{ share: 50, text: 'Third' }] } };
  assert.equal((await start(other)).status, 400);
  await set({ test_above: null });
});
