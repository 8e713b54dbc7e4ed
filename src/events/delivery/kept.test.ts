import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';
import { startMessenger as startReceiver } from '../../../test/stand-ins/messenger.ts';
import { forgetKept } from '../forget-store.ts';

/** Events during a webhook's disablement. Source: docs/contract.md, section 8, "Delivery". */

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { call, context } = patchbay;
const { sql } = context;
const credentials = '/api/partners/integrations/credentials/';

async function scene(t: TestContext) {
  const partner = await createPartner(t, patchbay);
  const receiver = await startReceiver(t);
  const { headers } = await signIn(context, partner);
  const ask = (method: string, path: string, body?: object) =>
    call(method, `/console/api/webhooks/${path}`, { headers, body });
  const set = () =>
    call('PUT', credentials, {
      headers: partner.token,
      body: { webhook_url: receiver.url, webhook_events: ['message_created'], webhook_platforms: [] },
    });
  assert.equal((await set()).status, 200);
  const uuid = String((await ask('GET', '')).body.results[0].uuid);
  const kept = async (): Promise<number> =>
    (await ask('GET', `${uuid}/events/?state=KEPT`)).body.results.length;
  const read = async () => {
    const { status, body } = await call('GET', credentials, { headers: partner.token });
    return { status, ...body };
  };
  return { ...partner, receiver, ask, set, uuid, kept, read };
}

const range = () => ({
  from: new Date(clock.now().getTime() - 7 * 86_400_000).toISOString(),
  to: new Date(clock.now().getTime() + 1_000).toISOString(),
});

test('events during a disablement are kept, and a replay of the range delivers them in order', async (t) => {
  const { client, receiver, ask, uuid, kept } = await scene(t);
  assert.equal((await ask('POST', `${uuid}/disable/`)).status, 204);
  const ann = await client('ann');
  const bob = await client('bob');
  assert.equal(await kept(), 2);
  assert.equal((await ask('POST', `${uuid}/enable/`)).status, 204);
  // Enabling alone delivers none of them: the next event arrives first.
  const eve = await client('eve');
  assert.equal((await receiver.received(2))[1]?.body.payload.message.uuid, eve.message);
  const { body } = await ask('POST', `${uuid}/replay/`, { ...range(), state: 'KEPT' });
  assert.deepEqual(body, { count: 2, after: null });
  const told = (await receiver.received(4)).slice(2).map(({ body }) => body.payload.message.uuid);
  assert.deepEqual(told.toSorted(), [ann.message, bob.message].toSorted());
  while ((await kept()) > 0);
});

test('an integration reads its address, its kinds, its delivery state, and the reason', async (t) => {
  const { read, receiver, ask, set, uuid, token, key } = await scene(t);
  const settings = { webhook_url: receiver.url, webhook_events: ['message_created'], webhook_platforms: [] };
  assert.deepEqual(await read(), { status: 200, ...settings, state: 'active', reason: null });
  await sql`update endpoints set failing_since = ${clock.now()} where id = ${uuid}`;
  assert.deepEqual(await read(), {
    status: 200,
    ...settings,
    state: 'failing',
    reason: `There was nothing but failures since ${clock.now().toISOString()}.`,
  });
  await ask('POST', `${uuid}/disable/`);
  const { state, reason } = await read();
  assert.deepEqual([state, typeof reason], ['disabled', 'string']);
  await set();
  assert.equal((await read()).state, 'active');
  assert.equal((await call('DELETE', credentials, { headers: token })).status, 204);
  assert.equal((await read()).status, 404);
  assert.equal((await call('GET', credentials, { headers: key })).status, 403);
});

test('kept events stay for seven days, and are deleted with their webhook', async (t) => {
  const { client, ask, uuid, kept } = await scene(t);
  await ask('POST', `${uuid}/disable/`);
  await client('ann');
  clock.advance(3 * 86_400_000);
  await client('bob');
  await forgetKept(sql, new Date(clock.now().getTime() + 4 * 86_400_000 - 60_000));
  assert.equal(await kept(), 2);
  await forgetKept(sql, new Date(clock.now().getTime() + 4 * 86_400_000 + 60_000));
  assert.equal(await kept(), 1);
  assert.equal((await ask('DELETE', `${uuid}/`)).status, 204);
  const left = await sql`select from events where endpoint_id = ${uuid} and state = 'KEPT'`;
  assert.equal(left.length, 0);
});
