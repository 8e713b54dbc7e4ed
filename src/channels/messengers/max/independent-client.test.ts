import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Bot, ImageAttachment, Keyboard } from '@maxhub/max-bot-api';
import { clientOver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { startMax } from '../../../simulator/max/provider.ts';
import { max } from './adapter.ts';

/** Max's own client, so that we do not only test our own reading of its API. */

const settings = { access_token: 'a-token', secret: 'a-secret-of-ours' };

async function setUp(t: { after(cleanUp: () => unknown): void }) {
  const server = await startMax(t, settings);
  const bot = new Bot(settings.access_token, { clientOptions: { baseUrl: server.root } });
  return { server, bot };
}

const message = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'image' as const,
  text: 'Choose',
  url: 'https://shop.example/cat.png',
  buttons: [
    { text: 'Yes', payload: 'yes' },
    { text: 'Shop', url: 'https://shop.example/' },
  ],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: '777' },
};

test('a picture with buttons is the same message as that of max-bot-api', async (t) => {
  const { server, bot } = await setUp(t);
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  const own = { ...settings, api_root: server.root };
  const sent = await max.send?.(message, own, clientOver(testOutbound(t)), attempt);
  const { button, inlineKeyboard } = Keyboard;
  const theirs = await bot.api.sendMessageToUser(777, 'Choose', {
    attachments: [
      new ImageAttachment({ url: message.url }).toJson(),
      inlineKeyboard([[button.callback('Yes', 'yes')], [button.link('Shop', 'https://shop.example/')]]),
    ],
  });
  assert.ok(sent?.sent);
  assert.deepEqual(
    [sent.providerId, theirs.body.mid],
    server.sent.map(({ mid }) => mid),
  );
  assert.deepEqual(server.sent[0]?.user_id, server.sent[1]?.user_id);
  assert.deepEqual(server.sent[0]?.body, server.sent[1]?.body);
});

test('max-bot-api reads the updates of our stand-in, with the secret that it gave', async (t) => {
  const { server, bot } = await setUp(t);
  const heard: unknown[] = [];
  const all = Promise.withResolvers<void>();
  const hear = (...what: unknown[]) => void (heard.push(what) === 3 && all.resolve());
  bot.on('message_created', ({ message }) => hear(message.sender?.user_id, message.body.text));
  bot.on('message_callback', ({ callback }) => hear(callback.user.user_id, callback.payload));
  bot.on('bot_started', ({ user, startPayload }) => hear(user.user_id, startPayload));
  const receiver = createServer(bot.webhookCallback({ domain: 'shop.example', path: '/', ...settings }));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  t.after(() => receiver.close());
  const { port } = receiver.address() as AddressInfo;
  await bot.api.subscribe(`http://127.0.0.1:${port}/`, settings.secret, []);
  const user = { user_id: 777, first_name: 'Ann', is_bot: false, last_activity_time: 1 };
  const body = { mid: 'mid.1', seq: 1, text: 'Hi', attachments: null };
  const recipient = { chat_id: 1, chat_type: 'dialog', user_id: 1 };
  const timestamp = 1_700_000_000_000;
  const said = { sender: user, recipient, timestamp, body };
  const created = { update_type: 'message_created', timestamp, message: said };
  assert.partialDeepStrictEqual(await server.happen(created), [{ status: 200 }]);
  const press = { callback_id: 'c', timestamp, payload: 'yes', user };
  const pressed = { update_type: 'message_callback', timestamp, callback: press, message: said };
  assert.partialDeepStrictEqual(await server.happen(pressed), [{ status: 200 }]);
  const start = { update_type: 'bot_started', timestamp, chat_id: 1, user, payload: 'spring' };
  assert.partialDeepStrictEqual(await server.happen(start), [{ status: 200 }]);
  await all.promise;
  assert.deepEqual(heard, [
    [777, 'Hi'],
    [777, 'yes'],
    [777, 'spring'],
  ]);
});
