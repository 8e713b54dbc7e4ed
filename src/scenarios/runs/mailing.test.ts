import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { seedMailing, seedMailingMessages } from '../../../test/mailing.ts';
import { signIn } from '../../../test/person.ts';
import { openShop } from '../../../test/scenario-harness.ts';

const patchbay = await startPatchbay({ after });
const partner = await createPartner({ after }, patchbay);
const { add, hears, heard, say } = openShop(patchbay, partner);
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
  await add('Sale', [{ id: 'a', type: 'message', text: 'Approved' }]);
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
    body: { revision: 0 },
  });
  assert.equal(approval.status, 204, JSON.stringify(approval.body));
  await add('Sale', [{ id: 'a', type: 'message', text: 'Never approved' }]);
  await sql`update mailings set due_at = now() where id = ${mailing.uuid}`;
  wake.wake('planning');
  assert.deepEqual(await hears('kim', 1), ['Approved']);
});
