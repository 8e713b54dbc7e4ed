import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '../faults/until.ts';
import { setScene } from './scene.ts';

/** The contract's tables of states, row by row. */

const scene = await setScene({ after });
const { asPartner, partner, client } = scene;
const api = '/api/partners';

const read = async (path: string) => (await asPartner('GET', `${api}/${path}/`)).body;
const cancel = async (uuid: string) =>
  (await asPartner('POST', `${api}/push-messages/${uuid}/cancel/`)).status;

async function sent(): Promise<string> {
  const uuid = await scene.push();
  await until(async () => (await read(`push-messages/${uuid}`)).state.code === 'SENT');
  return uuid;
}

const receipt = (uuid: string, state: string) =>
  scene.as({ authorization: `Bearer ${partner.channel.secret}` })(
    'POST',
    `/channels/${partner.channel.id}/receipts/`,
    { message: { uuid }, state },
  );

test('a push message begins PENDING, and a cancel makes it CANCELLED', async () => {
  const uuid = await scene.later();
  assert.deepEqual((await read(`push-messages/${uuid}`)).state, { code: 'PENDING', detail: '' });
  assert.equal(await cancel(uuid), 204);
  assert.equal((await read(`push-messages/${uuid}`)).state.code, 'CANCELLED');
});

test('a sent push message cannot be cancelled in any later state, and stays unchanged', async () => {
  const uuid = await sent();
  for (const [told, code] of [
    [null, 'SENT'],
    ['delivered', 'DELIVERED'],
    ['read', 'READ'],
  ] as const) {
    if (told) assert.equal((await receipt(uuid, told)).status, 200);
    assert.equal(await cancel(uuid), 400);
    assert.equal((await read(`push-messages/${uuid}`)).state.code, code);
  }
});

test('an undelivered push message, and a cancelled one, cannot be cancelled', async () => {
  const undelivered = await sent();
  await receipt(undelivered, 'undelivered');
  assert.equal(await cancel(undelivered), 400);
  assert.equal((await read(`push-messages/${undelivered}`)).state.code, 'UNDELIVERED');
  const cancelled = await scene.later();
  assert.deepEqual([await cancel(cancelled), await cancel(cancelled)], [204, 400]);
});

test('a promo code goes from AVAILABLE to ISSUED and back', async () => {
  const uuid = await scene.code(await scene.group());
  const patch = async (body: object) => {
    const answer = await asPartner('PATCH', `${api}/promocodes/${uuid}/`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  assert.equal((await read(`promocodes/${uuid}`)).status, 'AVAILABLE');
  const issued_at = '2026-11-01T10:00:00.000Z';
  const issued = await patch({ status: 'ISSUED', issued_at });
  assert.deepEqual([issued.status, issued.issued_at], ['ISSUED', issued_at]);
  const given = await patch({ issued_chat: { uuid: client.chat } });
  assert.equal(given.issued_chat.uuid, client.chat);
  const back = await patch({ status: 'AVAILABLE' });
  assert.deepEqual([back.status, back.issued_at, back.issued_chat], ['AVAILABLE', null, null]);
});

test('a mailing runs to completed, its messages through sent, delivered and read', async () => {
  const uuid = await scene.mailing({ filter_chats: { all: [] } });
  await until(async () => (await read(`mailings/${uuid}`)).state === 'completed');
  const uuids = partner.messenger.deliveries.map(({ body }) => body.payload.message.uuid);
  await receipt(uuids.at(-1), 'delivered');
  await receipt(uuids.at(-1), 'read');
  const { statistics, completed_at, duration } = await read(`mailings/${uuid}`);
  const { count_planned, count_sent, count_delivered, count_read, count_undelivered } = statistics;
  assert.deepEqual(
    [count_planned, count_sent, count_delivered, count_read, count_undelivered],
    [1, 1, 1, 1, 0],
  );
  assert.ok(completed_at);
  assert.match(duration, /^\d{2,}:\d\d:\d\d$/);
});

test('a planned mailing stops, and stays stopped', async () => {
  const planned_at = '2027-01-01T00:00:00Z';
  const uuid = await scene.mailing({ filter_chats: { all: [] }, planned_at });
  assert.equal((await read(`mailings/${uuid}`)).state, 'planned');
  for (const _ of [1, 2]) {
    const { status, body } = await asPartner('POST', `${api}/mailings/${uuid}/stop/`);
    assert.deepEqual([status, body.state, body.uuid], [200, 'stopped', uuid]);
  }
});
