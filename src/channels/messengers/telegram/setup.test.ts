import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import pino from 'pino';
import { testOutbound } from '../../../../test/outbound.ts';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import { refusal, startTelegram } from '../../../simulator/telegram/provider.ts';
import { webhookSecret } from './settings.ts';
import { setup } from './setup.ts';

const bot_token = '123456:AAE-secret_token';
const address = 'https://patchbay.example/channels/c/';

test('by webhook, Telegram gets our address, the secret and the kinds of updates', async (t) => {
  const bot = await startTelegram(t);
  await setup({ bot_token, api_root: bot.root }, address, testOutbound(t));
  assert.deepEqual(bot.calls, [
    {
      token: bot_token,
      method: 'setWebhook',
      parameters: {
        url: address,
        secret_token: webhookSecret({ bot_token }),
        allowed_updates: ['message', 'callback_query', 'my_chat_member'],
      },
    },
  ]);
});

test('by polling, an earlier webhook is removed, and its updates are kept', async (t) => {
  const bot = await startTelegram(t);
  await setup({ bot_token, api_root: bot.root, mode: 'polling' }, address, testOutbound(t));
  assert.deepEqual(bot.calls, [{ token: bot_token, method: 'deleteWebhook', parameters: {} }]);
});

test('a refusal is shown in Telegram’s words, with advice if there is any', async (t) => {
  const bot = await startTelegram(t);
  const http = testOutbound(t);
  const settings = { bot_token, api_root: bot.root };
  bot.react(() => refusal(401, 'Unauthorized'));
  await assert.rejects(setup(settings, address, http), { message: 'Telegram refused: Unauthorized.' });
  bot.react(() => refusal(400, 'Bad Request: bad webhook: HTTPS url must be provided for webhook'));
  await assert.rejects(setup(settings, address, http), /use mode=polling/);
});

test('the token never appears in the log', async (t) => {
  const bot = await startTelegram(t);
  const lines: string[] = [];
  const stream = new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line));
      done();
    },
  });
  const http = createOutbound({ allow: ['127.0.0.0/8'], log: pino({ level: 'trace' }, stream) });
  t.after(() => http.close());
  await setup({ bot_token, api_root: bot.root }, address, http);
  assert.match(lines.join(), /setWebhook/);
  assert.ok(!lines.join().includes('AAE-secret_token'));
});
