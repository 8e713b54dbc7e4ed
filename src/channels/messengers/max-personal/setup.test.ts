import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { startGateway } from '../../../simulator/max-personal/provider.ts';
import { maxPersonal } from './adapter.ts';

const instance = { instance_id: '3100000001', api_token: 'token' };
const address = 'https://patchbay.example/channels/c/';

async function scene(t: { after(cleanUp: () => unknown): void }) {
  const gateway = await startGateway(t, instance);
  const settings = { ...instance, webhook_token: 's3cret', api_root: gateway.root };
  return { gateway, settings, client: clientOver(testOutbound(t)) };
}

test('the gateway gets our address, the token and the kinds of notifications', async (t) => {
  const { gateway, settings, client } = await scene(t);
  assert.deepEqual(await maxPersonal.setup?.(settings, address, client), {});
  assert.deepEqual(gateway.settings, {
    webhookUrl: address,
    webhookUrlToken: 's3cret',
    incomingWebhook: 'yes',
    outgoingWebhook: 'yes',
    outgoingMessageWebhook: 'yes',
    outgoingAPIMessageWebhook: 'yes',
  });
});

test("a wrong token is reported in the gateway's words", async (t) => {
  const { gateway, settings, client } = await scene(t);
  await assert.rejects(async () => maxPersonal.setup?.({ ...settings, api_token: 'x' }, address, client), {
    message: 'The gateway refused: Unauthorized',
  });
  gateway.react(() => ({ status: 200, body: { saveSettings: false } }));
  await assert.rejects(async () => maxPersonal.setup?.(settings, address, client), /did not take/);
});
