import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../test/harness.ts';

const patchbay = await startPatchbay({ after });
const { call } = patchbay;

test('a mailing reaches every client once with one call, and reports it', async (t) => {
  const partner = await createPartner(t, patchbay);
  const names = ['ann', 'bob', 'cid'];
  for (const name of names) await partner.client(name);
  const path = '/api/partners/mailings/';
  const { status, body: made } = await call('POST', path, {
    headers: partner.key,
    body: { name: 'Sale', text: 'Hello {{name}}: https://shop.test/sale', filter_chats: { all: [] } },
  });
  assert.equal(status, 201);
  const deliveries = await partner.messenger.received(3);
  const texts = deliveries.map(({ body }) => body.payload.message.text);
  const links = texts.map((text) => /^Hello (\w+): https:\/\/patchbay\.test(\/l\/[\w-]{56})$/.exec(text));
  assert.deepEqual(links.map((found) => found?.[1]).sort(), names);
  const visit = await call('GET', links[0]?.[2] ?? '');
  assert.deepEqual([visit.status, visit.headers.get('location')], [302, 'https://shop.test/sale']);

  const read = async () => (await call('GET', `${path}${made.uuid}/`, { headers: partner.key })).body;
  let mailing = await read();
  while (mailing.state === 'in_process' || mailing.state === 'planned') mailing = await read();
  assert.equal(mailing.state, 'completed');
  assert.match(mailing.duration, /^00:00:\d\d$/);
  assert.deepEqual(mailing.statistics, {
    count_planned: 3,
    count_sent: 3,
    count_delivered: 0,
    count_undelivered: 0,
    count_read: 0,
    count_clicked: 0,
    count_jumped_url: 1,
    count_replied: 0,
    count_converted: 0,
    count_platforms: { API_Messenger: 3 },
  });
  const calculated = await call('POST', `${path}${made.uuid}/calculate/`, { headers: partner.key });
  assert.deepEqual([calculated.status, calculated.body], [200, mailing]);
  const stopped = await call('POST', `${path}${made.uuid}/stop/`, { headers: partner.key });
  assert.deepEqual([stopped.status, stopped.body], [200, mailing]);
  assert.equal(partner.messenger.deliveries.length, 3);
});
