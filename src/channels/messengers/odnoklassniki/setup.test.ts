import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { okError, startOk } from '../../../simulator/odnoklassniki/provider.ts';
import { odnoklassniki } from './adapter.ts';

const access_token = 'tkn1:SECRET';
const address = 'https://patchbay.example/channels/c/secret/';

async function scene(t: { after(cleanUp: () => unknown): void }) {
  const ok = await startOk(t, { access_token });
  return { ok, settings: { access_token, api_root: ok.root }, client: clientOver(testOutbound(t)) };
}

test('Odnoklassniki gets our address once', async (t) => {
  const { ok, settings, client } = await scene(t);
  assert.deepEqual(await odnoklassniki.learn?.(settings, client), {});
  await odnoklassniki.setup?.(settings, address, client);
  await odnoklassniki.setup?.(settings, address, client);
  assert.deepEqual(ok.subscriptions, [address]);
});

test('a wrong key is detected before the channel exists, in the words of Odnoklassniki', async (t) => {
  const { ok, settings, client } = await scene(t);
  await assert.rejects(async () => odnoklassniki.learn?.({ ...settings, access_token: 'x' }, client), {
    message: 'Odnoklassniki refused: PARAM_SESSION_KEY : Invalid',
  });
  ok.react(() => ({ status: 200, body: { name: 'Anna', user_id: 'user:1' } }));
  await assert.rejects(async () => odnoklassniki.learn?.(settings, client), {
    message: 'This is not the key of a group.',
  });
});

test('a refused address is reported', async (t) => {
  const { ok, settings, client } = await scene(t);
  ok.react(() => okError(100, 'PARAM : url'));
  await assert.rejects(async () => odnoklassniki.setup?.(settings, address, client), {
    message: 'Odnoklassniki refused: PARAM : url',
  });
  ok.react(() => ({ status: 200, body: { success: false } }));
  await assert.rejects(async () => odnoklassniki.setup?.(settings, address, client), /did not take/);
});
