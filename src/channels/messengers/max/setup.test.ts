import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { startMax } from '../../../simulator/max/provider.ts';
import { max } from './adapter.ts';

const access_token = 'f9LHod-token';
const address = 'https://patchbay.example/channels/c/';

async function scene(t: { after(cleanUp: () => unknown): void }) {
  const bot = await startMax(t, { access_token });
  const settings = { access_token, secret: 'a-secret', api_root: `${bot.root}/` };
  return { bot, settings, client: clientOver(testOutbound(t)) };
}

test('Max gets our address, the secret and the kinds of updates, and no address twice', async (t) => {
  const { bot, settings, client } = await scene(t);
  assert.deepEqual(await max.learn?.(settings, client), {});
  await max.setup?.(settings, address, client);
  await max.setup?.({ ...settings, secret: 'another' }, address, client);
  assert.deepEqual(bot.subscriptions, [
    {
      url: address,
      secret: 'another',
      update_types: ['message_created', 'message_callback', 'bot_started', 'bot_stopped'],
    },
  ]);
});

test("a wrong token is detected before the channel exists, in Max's words", async (t) => {
  const { settings, client } = await scene(t);
  await assert.rejects(async () => max.learn?.({ ...settings, access_token: 'wrong' }, client), {
    message: 'Max refused: Invalid access_token',
  });
});

test("a refused address is reported in Max's words", async (t) => {
  const { bot, settings, client } = await scene(t);
  bot.react(() => ({ status: 200, body: { success: false, message: 'Only port 443 is allowed' } }));
  await assert.rejects(async () => max.setup?.(settings, address, client), {
    message: 'Max refused: Only port 443 is allowed',
  });
});

test('a video is fetched in its best size', async (t) => {
  const { bot, settings, client } = await scene(t);
  bot.videos.set('v1', {
    mp4_360: 'https://v.max/360',
    mp4_720: 'https://v.max/720',
    hls: 'https://v.max/h',
  });
  assert.deepEqual(await max.locateFile?.('v1', settings, client), { url: 'https://v.max/720' });
  await assert.rejects(async () => max.locateFile?.('v2', settings, client), /Video not found/);
});
