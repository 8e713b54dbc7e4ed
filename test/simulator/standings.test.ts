import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Adapter } from '../../src/channels/contract/adapter.ts';
import { max } from '../../src/channels/messengers/max/adapter.ts';
import { maxPersonal } from '../../src/channels/messengers/max-personal/adapter.ts';
import { odnoklassniki } from '../../src/channels/messengers/odnoklassniki/adapter.ts';
import { ozon } from '../../src/channels/messengers/ozon/adapter.ts';
import { startMax } from '../../src/simulator/max/provider.ts';
import { startGateway } from '../../src/simulator/max-personal/provider.ts';
import { startOk } from '../../src/simulator/odnoklassniki/provider.ts';
import { startOzon } from '../../src/simulator/ozon/provider.ts';
import { clientOver } from '../adapter.ts';
import { testOutbound } from '../outbound.ts';

const client = clientOver(testOutbound({ after }));
const now = new Date('2026-06-01T12:00:00Z');
const address = 'https://patchbay.test/channels/1/';

/** Asks before and after the channel registers its address. */
async function registering<Settings>({ setup, standing }: Adapter<Settings>, settings: Settings) {
  assert.ok(setup && standing);
  const isRegistered = async (at = address) => (await standing(settings, at, client, now)).isRegistered;
  const before = await isRegistered();
  await setup(settings, address, client);
  return [before, await isRegistered(), await isRegistered('https://elsewhere.test/')];
}

test('the stand-in of Odnoklassniki names the registered addresses', async (t) => {
  const settings = { access_token: 'tkn1:SECRET' };
  const { root: api_root } = await startOk(t, settings);
  assert.deepEqual(await registering(odnoklassniki, { ...settings, api_root }), [false, true, false]);
});

test('the stand-in of Max names the registered addresses', async (t) => {
  const settings = { access_token: 'the-token' };
  const { root: api_root } = await startMax(t, settings);
  assert.deepEqual(await registering(max, { ...settings, secret: 'the-secret', api_root }), [
    false,
    true,
    false,
  ]);
});

test('the stand-in of Max_Personal names its address, and a GET without a body is answered', async (t) => {
  const settings = { instance_id: '7', api_token: 'the-token' };
  const { root: api_root } = await startGateway(t, settings);
  const given = { ...settings, webhook_token: 'w'.repeat(43), api_root };
  assert.deepEqual(await registering(maxPersonal, given), [false, true, false]);
  const answer = await fetch(`${api_root}/v3/waInstance7/sendMessage/the-token`);
  assert.equal(answer.status, 404);
});

test('the stand-in of Ozon tells when its key ends', async (t) => {
  const settings = { client_id: '7', api_key: 'the-key' };
  const { root: api_root } = await startOzon(t, settings);
  const { isRegistered, lapsesAt } =
    (await ozon.standing?.({ ...settings, api_root }, address, client, now)) ?? assert.fail();
  assert.equal(isRegistered, null);
  assert.ok(lapsesAt && lapsesAt.getTime() > Date.now());
});
