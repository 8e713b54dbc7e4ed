import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testOutbound } from '../../../../test/outbound.ts';
import { OutboundFailed } from '../../../platform/outbound/outbound.ts';
import { type Reaction, refusal, startTelegram } from '../../../simulator/telegram/provider.ts';
import type { OutgoingMessage, SendResult } from '../../contract/adapter.ts';
import { send } from './send.ts';

const bot_token = '123456:AAE-secret_token';

const text: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Hello',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: '777' },
};

async function setUp(t: TestContext) {
  const bot = await startTelegram(t);
  const http = testOutbound(t);
  const { signal: deadline } = new AbortController();
  const settings = { bot_token, api_root: `${bot.root}/` };
  return { bot, send: (message = text) => send(message, settings, http, { deadline }) };
}

async function resultOf(t: TestContext, reaction: Reaction): Promise<SendResult> {
  const { bot, send } = await setUp(t);
  bot.react(() => reaction);
  return send();
}

test('a text is sent with the bot’s token, and is SENT with the ids of its chat and message', async (t) => {
  const { bot, send } = await setUp(t);
  assert.deepEqual(await send(), { sent: true, providerId: '777:1' });
  assert.deepEqual(bot.calls, [
    { token: bot_token, method: 'sendMessage', parameters: { chat_id: 777, text: 'Hello' } },
  ]);
});

test('buttons become an inline keyboard, one per row', async (t) => {
  const { bot, send } = await setUp(t);
  const buttons = [
    { text: 'Yes', payload: 'yes:1' },
    { text: 'No' },
    { text: 'Site', url: 'https://shop.example/', payload: 'ignored' },
  ];
  await send({ ...text, buttons });
  assert.deepEqual(bot.calls[0]?.parameters.reply_markup.inline_keyboard, [
    [{ text: 'Yes', callback_data: 'yes:1' }],
    [{ text: 'No', callback_data: 'No' }],
    [{ text: 'Site', url: 'https://shop.example/' }],
  ]);
});

test('the id of a chat keeps every digit', async (t) => {
  const { bot, send } = await setUp(t);
  const chat = { ...text.chat, externalId: '4503599627370495' };
  assert.deepEqual(await send({ ...text, chat }), { sent: true, providerId: '4503599627370495:1' });
  assert.equal(String(bot.calls[0]?.parameters.chat_id), '4503599627370495');
});

test('content that a bot cannot carry is refused without a call', async (t) => {
  const { bot, send } = await setUp(t);
  const result = await send({ ...text, type: 'template' });
  assert.deepEqual(result, { sent: false, error: { code: 'unsupported' } });
  assert.deepEqual(bot.calls, []);
});

const refusals: [code: number, description: string, means: string][] = [
  [400, 'Bad Request: chat not found', 'invalid_recipient'],
  [400, 'Bad Request: user not found', 'invalid_recipient'],
  [400, 'Bad Request: PEER_ID_INVALID', 'invalid_recipient'],
  [400, 'Bad Request: chat_id is empty', 'invalid_recipient'],
  [400, 'Bad Request: group chat was upgraded to a supergroup chat', 'invalid_recipient'],
  [400, 'Bad Request: have no rights to send a message', 'blocked'],
  [400, 'Bad Request: message is too long', 'bad_content'],
  [400, 'Bad Request: message text is empty', 'bad_content'],
  [400, 'Bad Request: BUTTON_DATA_INVALID', 'bad_content'],
  [400, 'Bad Request: failed to get HTTP URL content', 'bad_content'],
  [401, 'Unauthorized', 'auth'],
  [403, 'Forbidden: bot was blocked by the user', 'blocked'],
  [403, 'Forbidden: user is deactivated', 'invalid_recipient'],
  [403, "Forbidden: bot can't initiate conversation with a user", 'not_opted_in'],
  [403, "Forbidden: bot can't send messages to bots", 'invalid_recipient'],
  [403, 'Forbidden: bot was kicked from the group chat', 'blocked'],
  [404, 'Not Found', 'auth'],
  [413, 'Request Entity Too Large', 'bad_content'],
];

for (const [code, description, means] of refusals) {
  test(`${code} "${description}" is final: ${means}`, async (t) => {
    const result = await resultOf(t, refusal(code, description));
    assert.deepEqual(result, { sent: false, error: { code: means, detail: description } });
  });
}

test('any text of a refusal can be stored', async (t) => {
  const result = await resultOf(t, refusal(400, `Bad Request: a\0b\ud800${'c'.repeat(1000)}`));
  const detail = `Bad Request: ab\ufffd${'c'.repeat(484)}`;
  assert.deepEqual(result, { sent: false, error: { code: 'bad_content', detail } });
});

test('an answer that repeats the called address does not reveal the token', async (t) => {
  const called = `/bot${bot_token}/sendMessage and /bot${encodeURIComponent(bot_token)}/sendMessage`;
  const result = await resultOf(t, refusal(404, `Not Found: ${called}`));
  const detail = 'Not Found: /bot***/sendMessage and /bot***/sendMessage';
  assert.deepEqual(result, { sent: false, error: { code: 'auth', detail } });
});

test("429 pauses for Telegram's time, or for a second without one", async (t) => {
  const described = 'Too Many Requests: retry after 35';
  const named = await resultOf(t, refusal(429, described, { retry_after: 35 }));
  assert.deepEqual(named, {
    sent: false,
    error: { code: 'rate_limited', retryAfterMs: 35_000, detail: described },
  });
  const unnamed = await resultOf(t, { status: 429, body: '<html>Too many</html>' });
  assert.ok(!unnamed.sent && unnamed.error.code === 'rate_limited' && unnamed.error.retryAfterMs === 1000);
});

const troubles: Record<string, Reaction> = {
  'an internal error': refusal(500, 'Internal Server Error'),
  'a bad gateway': { status: 502, body: '<html>Bad Gateway</html>' },
  'garbage with 200': { status: 200, body: 'garbage' },
  'other JSON with 200': { status: 200, body: ['ok'] },
  'garbage with 403, of something on the way': { status: 403, body: '<html>Forbidden</html>' },
  'more than an answer can be': { status: 200, body: `{"ok":true,"x":"${'x'.repeat(4_200_000)}"}` },
  'a closed connection': 'close',
};

for (const [trouble, reaction] of Object.entries(troubles)) {
  test(`${trouble} is temporary, and the message may have been sent`, async (t) => {
    const result = await resultOf(t, reaction);
    assert.ok(!result.sent && result.error.code === 'temporary' && result.error.mayHaveBeenSent);
  });
}

test('a message is SENT even if Telegram returns no id', async (t) => {
  const result = await resultOf(t, { status: 200, body: { ok: true, result: true } });
  assert.deepEqual(result, { sent: true, providerId: null });
});

test('a Telegram that hangs is temporary, and the message may have been sent', async () => {
  const http = {
    request: () => Promise.reject(new OutboundFailed('timeout', true)),
    check: async () => {},
    addressesOf: async () => [],
    close: async () => {},
  };
  const result = await send(text, { bot_token }, http, { deadline: new AbortController().signal });
  assert.ok(!result.sent && result.error.code === 'temporary' && result.error.mayHaveBeenSent);
});
