import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
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
