import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { planAll } from '../../../../test/planning-scene.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] }, clock });
const { call, context } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const { projectId } = partner;
const { headers } = await signIn(context, { projectId, name: 'Olga' });
const [ann, bob, cid] = [
  await partner.client('ann'),
  await partner.client('bob'),
  await partner.client('cid'),
];

const ask = (path: string, body: object) =>
  call('POST', `/console/api/mailings/${path}`, { headers, body: { ...sale, ...body } });
const sale = { name: 'Sale', text: 'Hello', filter_chats: { all: [] } };
const foretold = async (body: object = {}) => {
  const { status, body: plan } = await ask('dry-run/', body);
  assert.equal(status, 200, JSON.stringify(plan));
  return plan.capped;
};
const listed = (...clients: { chat: string }[]) => ({
  filter_chats: null,
  customer_filter_field: 'CHAT_UUID',
  customer_filter_array: clients.map(({ chat }) => chat),
});
const setCap = (messages: number | null, days: number | null) => sql`
  update projects set cap_messages = ${messages}, cap_days = ${days} where id = ${projectId}`;

/** A mailing that reached these clients now. */
async function reach(body: object): Promise<void> {
  const made = await ask('', body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await planAll(context);
  await sql`
    update messages set state = 'IN_PROCESS' where mailing_id = ${made.body.uuid}`;
  await sql`
    update messages set state = 'SENT', sent_at = ${clock.now()} where mailing_id = ${made.body.uuid}`;
}

test('without a cap the plan foretells nothing about one', async () => {
  assert.equal(await foretold(), null);
});

test('the plan foretells how many recipients the project’s cap refuses, and planning refuses as many', async () => {
  await setCap(1, 7);
  assert.equal(await foretold(), 0);
  await reach(listed(ann, bob));
  assert.equal(await foretold(), 2);
  assert.equal(await foretold(listed(ann, cid)), 1);
  const { body } = await ask('', {});
  await planAll(context);
  const [row] = await sql<[{ refused: number }]>`
    select count(*)::int as refused from messages where mailing_id = ${body.uuid} and state = 'UNDELIVERED'`;
  assert.equal(row.refused, 2);
});

test('who may get a mailing again at its start is not counted', async () => {
  const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000).toISOString();
  assert.equal(await foretold({ planned_at: inDays(6) }), 2);
  assert.equal(await foretold({ planned_at: inDays(8) }), 0);
});

test('the cap of the topic counts the mailings about it, and each recipient counts once', async () => {
  await setCap(null, null);
  const topicId = context.newId();
  await sql`
    insert into topics (project_id, id, name, description, words, created_at, cap_messages, cap_days)
    values (${projectId}, ${topicId}, 'News', '', '{}', ${clock.now()}, 1, 7)`;
  assert.equal(await foretold(), null);
  assert.equal(await foretold({ topic: 'News' }), 0);
  await reach({ ...listed(cid), topic: 'News' });
  assert.equal(await foretold({ topic: 'News' }), 1);
  await setCap(1, 7);
  assert.equal(await foretold({ topic: 'News' }), 3);
});

test('the recipients of a file are not known yet', async () => {
  const customer_filter_file = 'https://shop.test/clients.csv';
  assert.equal(await foretold({ customer_filter_field: 'EXTERNAL_ID', customer_filter_file }), null);
});
