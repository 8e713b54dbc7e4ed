import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { openShop } from '../../../../test/scenario-harness.ts';
import { seedChat } from '../../../../test/seed.ts';
import { answerWith } from '../../../../test/stand-ins/messenger.ts';
import { addTemplateChannel } from '../../../../test/template-channel.ts';

const patchbay = await startPatchbay({ after });
const { call, context } = patchbay;
const partner = await createPartner({ after }, patchbay);
const { projectId, messenger, key } = partner;
const { add, pushIn } = openShop(patchbay, partner);
const { headers } = await signIn(context, { projectId });
const ask = (method: string, path: string, body?: object) =>
  call(method, `/console/api/mailings/${path}`, { headers, ...(body && { body }) });
const set = (body: object) => call('PATCH', '/console/api/settings/', { headers, body });

const ann = await partner.client('ann');
const others = await Promise.all(['bob', 'cid', 'dan', 'eve'].map((name) => partner.client(name)));
await ask('PUT', `colleagues/${ann.profile}/`);
await set({ test_above: 2 });

const everybody = { filter_chats: { all: [] } };
const refusal =
  'A mailing that may reach more than 2 recipients starts after it was sent to a colleague as it is now.';

const publish = async (name: string, text: string) =>
  (await add(name, [{ id: 'hi', type: 'message', text }])).id;

async function tested(body: object): Promise<void> {
  const { body: answer } = await ask('POST', 'test/', { ...body, colleagues: [ann.profile] });
  for (const { push } of answer.results) await pushIn(push, 'SENT');
}

async function over(uuid: string): Promise<void> {
  while ((await ask('GET', `${uuid}/`)).body.summary.state !== 'completed');
}

/** A mailing that only ann got. */
async function missed(body: object, make = (mailing: object) => ask('POST', '', mailing)): Promise<string> {
  messenger.behave((delivery, response) =>
    answerWith(delivery.body.payload.chat.external_id === 'ann' ? 200 : 422)(delivery, response),
  );
  const { status, body: made } = await make({ name: 'Sale', ...body, ...everybody });
  assert.equal(status, 201, JSON.stringify(made));
  await over(made.uuid);
  messenger.behave(answerWith(200));
  return made.uuid;
}

const byProgram = (body: object) => call('POST', '/api/partners/mailings/', { headers: key, body });
const again = (uuid: string) => ask('POST', `${uuid}/resend/`, { name: 'Again' });

/** What the recipients of a resend get. */
async function resent(uuid: string): Promise<string[]> {
  const from = messenger.deliveries.length;
  const { status, body } = await again(uuid);
  assert.equal(status, 201, JSON.stringify(body));
  await over(body.uuid);
  return messenger.deliveries.slice(from).map(({ body: { payload } }) => payload.message.text);
}

const fourTimes = (text: string) => [text, text, text, text];

test('a resend sends the tested version of a scenario that was published again', async () => {
  const node = await publish('Poll', 'One');
  await tested({ node });
  const uuid = await missed({ node });
  await publish('Poll', 'Two');
  assert.deepEqual(await resent(uuid), fourTimes('One'));
});

test('a resend of what nobody tested needs a test, above the project’s number of recipients', async () => {
  const node = await publish('Program', 'One');
  const uuid = await missed({ node }, byProgram);
  const { status, body } = await again(uuid);
  assert.deepEqual([status, body], [400, { detail: refusal }]);
  await set({ test_above: 4 });
  assert.equal((await again(uuid)).status, 201);
  await set({ test_above: 2 });
});

test('a test lets a program’s mailing go again, as it is now', async () => {
  const node = await publish('Later', 'One');
  const uuid = await missed({ node }, byProgram);
  await publish('Later', 'Two');
  await tested({ node });
  assert.deepEqual(await resent(uuid), fourTimes('Two'));
});

test('a resend of a tested text needs no further test', async () => {
  await tested({ text: 'Hello' });
  assert.deepEqual(await resent(await missed({ text: 'Hello' })), fourTimes('Hello'));
});

test('a resend of an A/B test needs no further test, and its own resend neither', async () => {
  const nodes = [await publish('A', 'A one'), await publish('B', 'B one')];
  const [node, other] = nodes;
  const both = { node, ab_test: { variants: [{ share: 50, node: other }] } };
  await tested(both);
  const uuid = await missed(both);
  for (const name of ['A', 'B']) await publish(name, `${name} two`);
  await context.sql`
    insert into mailing_decisions (project_id, mailing_id, decided_at, counts, leaders, variant)
    select project_id, id, created_at, '[]', '{2}', 2 from mailings where id = ${uuid}`;
  messenger.behave(answerWith(422));
  const { status, body } = await again(uuid);
  assert.equal(status, 201, JSON.stringify(body));
  await over(body.uuid);
  messenger.behave(answerWith(200));
  assert.deepEqual(await resent(body.uuid), fourTimes('B one'));
});

test('a resend sends the approved version, and an approval is no test', async () => {
  const node = await publish('Approved', 'One');
  const second = await signIn(context, { projectId });
  await set({ test_above: null, needs_approval: true });
  const uuid = await missed({ node }, async (body) => {
    const made = await ask('POST', '', body);
    const approval = { revision: 0, scenarios: [{ id: node, version: 1 }] };
    await call('POST', `/console/api/mailings/${made.body.uuid}/approve/`, {
      headers: second.headers,
      body: approval,
    });
    return made;
  });
  await publish('Approved', 'Two');
  await set({ test_above: 2 });
  assert.equal((await again(uuid)).body.detail, refusal);
  await set({ test_above: null, needs_approval: false });
  assert.deepEqual(await resent(uuid), fourTimes('One'));
  await set({ test_above: 2 });
});

test('a resend of a mixed mailing to phone numbers needs no test beyond its template', async () => {
  const { sql, clock } = context;
  const channelId = await addTemplateChannel(context, projectId);
  await seedChat(sql, projectId, { channelId, platform: 'Whatsapp', profileId: ann.profile });
  const mixed = { text: 'Mixed', template_whatsapp: 'order', template_variables: {} };
  const byPhone = { ...mixed, phone_numbers_file: `${messenger.url}/phones.csv` };
  const { results } = (await ask('POST', 'test/', { ...byPhone, colleagues: [ann.profile] })).body;
  for (const state of ['IN_PROCESS', 'SENT']) {
    await sql`update messages set state = ${state} where id = ${results[0].push}`;
  }
  const later = { planned_at: '2099-01-01T00:00:00Z' };
  const both = await ask('POST', '', { name: 'Sale', ...mixed, ...everybody, ...later });
  assert.equal(both.status, 400, 'its text was not tested');
  const { body: made } = await ask('POST', '', { name: 'Sale', ...byPhone, ...later });
  await sql`
    update mailings set state = 'completed', due_at = null, run = 1, started_at = ${clock.now()} where id = ${made.uuid}`;
  for (const { chat } of others) {
    await sql`
      insert into messages (
        project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at, state, mailing_id,
        mailing_run
      )
      select project_id, ${context.newId()}, id, channel_id, 'out', 'mailing', 'TEXT', '{}', created_at, 'UNDELIVERED',
        ${made.uuid}, 1
      from chats where id = ${chat}`;
  }
  const { status, body } = await again(made.uuid);
  assert.equal(status, 201, JSON.stringify(body));
});
