import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { TelegramServer } from 'telegram-test-api/lib/telegramServer.js';
import { freePort } from '../../../../test/free-port.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { poll } from './poll.ts';
import { send } from './send.ts';
import { setup } from './setup.ts';

/** A Bot API by other authors, so that we do not only test our own reading of it. */

const bot_token = 'sampleToken';

async function setUp(t: TestContext) {
  const server = new TelegramServer({ port: await freePort(), host: '127.0.0.1' });
  await server.start();
  t.after(() => server.stop());
  const client = server.getClient(bot_token, { userId: 777, chatId: 777, firstName: 'Ann' });
  const settings = { bot_token, api_root: server.config.apiURL, mode: 'polling' as const };
  return { client, settings, http: testOutbound(t) };
}

const message = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text' as const,
  text: 'Choose',
  url: null,
  buttons: [{ text: 'Yes', payload: 'yes' }],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: '777' },
};

test('a client of telegram-test-api gets our message with its buttons', async (t) => {
  const { client, settings, http } = await setUp(t);
  const result = await send(message, settings, http, { deadline: new AbortController().signal });
  const [update] = (await client.getUpdates()).result;
  assert.ok(update && result.sent);
  assert.equal(result.providerId, `777:${update.messageId}`);
  assert.equal(update.message.text, 'Choose');
  assert.deepEqual(update.message.reply_markup, {
    inline_keyboard: [[{ text: 'Yes', callback_data: 'yes' }]],
  });
});

test('messages and button presses of a telegram-test-api client arrive by polling', async (t) => {
  const { client, settings, http } = await setUp(t);
  await setup(settings, 'https://patchbay.example/channels/c/', http);
  await client.sendMessage(client.makeMessage('Hello'));
  await client.sendCallback(client.makeCallbackQuery('yes'));
  const { events } = await poll(null, settings, http, new AbortController().signal);
  assert.deepEqual(
    events.map(
      (event) => event.kind === 'message' && [event.chat.externalId, event.chat.name, event.message],
    ),
    [
      ['777', 'Ann', { externalId: '777:1', type: 'text', text: 'Hello', url: null, payload: null }],
      ['777', 'Ann', { externalId: 'callback:1', type: 'button', text: null, url: null, payload: 'yes' }],
    ],
  );
});
