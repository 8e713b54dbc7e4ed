import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { startHttpApi } from '../../../simulator/http-api.ts';
import { maxError, startMax } from '../../../simulator/max/provider.ts';
import type { OutgoingMessage } from '../../contract/adapter.ts';
import { max } from './adapter.ts';

const access_token = 'f9LHod-token';

const text: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Hello',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: '777' },
};

async function scene(t: { after(cleanUp: () => unknown): void }) {
  const bot = await startMax(t, { access_token });
  const client = clientOver(testOutbound(t));
  const own = { access_token, secret: 'secret', api_root: bot.root };
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  const send = (message: OutgoingMessage) => max.send?.(message, own, client, attempt);
  return { bot, client, own, send };
}

test('a text goes to the client, and its id is the provider’s', async (t) => {
  const { bot, send } = await scene(t);
  assert.deepEqual(await send(text), { sent: true, providerId: 'mid.0000000000000001' });
  assert.deepEqual(bot.sent[0], { mid: 'mid.0000000000000001', user_id: '777', body: { text: 'Hello' } });
  assert.equal(bot.calls[0]?.query.has('access_token'), false);
});

test('buttons carry the partner’s payload, or open a link', async (t) => {
  const { bot, send } = await scene(t);
  const link = { text: 'Shop', url: 'https://shop.example/' };
  await send({ ...text, buttons: [{ text: 'Yes', payload: 'да "1"' }, { text: 'No' }, link] });
  assert.deepEqual(bot.sent[0]?.body.attachments, [
    {
      type: 'inline_keyboard',
      payload: {
        buttons: [
          [{ type: 'callback', text: 'Yes', payload: 'да "1"' }],
          [{ type: 'callback', text: 'No', payload: 'No' }],
          [{ type: 'link', text: 'Shop', url: 'https://shop.example/' }],
        ],
      },
    },
  ]);
});

test('two hundred and ten buttons fit in thirty rows, and ninety with links', async (t) => {
  const { bot, send } = await scene(t);
  const buttons = Array.from({ length: 210 }, (_, place) => ({ text: String(place) }));
  assert.partialDeepStrictEqual(await send({ ...text, buttons }), { sent: true });
  const rows: unknown[][] = bot.sent[0]?.body.attachments[0].payload.buttons;
  assert.deepEqual([rows.length, rows[0]?.length], [30, 7]);
  const link = { text: 'Shop', url: 'https://shop.example/' };
  assert.partialDeepStrictEqual(await send({ ...text, buttons: [...buttons.slice(0, 89), link] }), {
    sent: true,
  });
  assert.partialDeepStrictEqual(await send({ ...text, buttons: [...buttons.slice(0, 90), link] }), {
    sent: false,
    error: { code: 'bad_content' },
  });
  assert.equal(bot.sent.length, 2);
});

test('Max fetches a picture itself, and a document is uploaded', async (t) => {
  const { bot, send } = await scene(t);
  const shop = await startHttpApi(t, ({ path }) => ({ status: path === '/gone' ? 404 : 200, body: 'bytes' }));
  const image = { ...text, type: 'image' as const, url: `${shop.root}/cat.png` };
  assert.partialDeepStrictEqual(await send(image), { sent: true });
  assert.deepEqual(bot.sent[0]?.body, {
    text: 'Hello',
    attachments: [{ type: 'image', payload: { url: `${shop.root}/cat.png` } }],
  });
  assert.equal(shop.calls.length, 0);
  const document = { ...text, type: 'document' as const, text: null, url: `${shop.root}/a%20b.pdf` };
  assert.partialDeepStrictEqual(await send(document), { sent: true });
  assert.deepEqual(bot.sent[1]?.body, {
    text: '',
    attachments: [{ type: 'file', payload: { token: 'file-1' } }],
  });
  assert.equal(bot.files.get('file-1')?.toString(), 'bytes');
  const upload = bot.calls.find(({ path }) => path === '/upload/1');
  assert.match(upload?.body.toString() ?? '', /name="data"; filename="a b\.pdf"/);
  assert.partialDeepStrictEqual(await send({ ...document, url: `${shop.root}/gone` }), {
    sent: false,
    error: { code: 'bad_content' },
  });
});

test('a file that is not ready is uploaded once, and waited for', async (t) => {
  const { bot, send } = await scene(t);
  const shop = await startHttpApi(t, () => ({ status: 200, body: 'bytes' }));
  bot.unreadyFor = 1;
  assert.partialDeepStrictEqual(await send({ ...text, type: 'document', url: `${shop.root}/a.pdf` }), {
    sent: true,
  });
  assert.equal(bot.files.size, 1);
  assert.equal(bot.sent.length, 1);
});

test('a file that is not ready at the deadline has not been sent', async (t) => {
  const { bot, client, own } = await scene(t);
  const shop = await startHttpApi(t, () => ({ status: 200, body: 'bytes' }));
  bot.unreadyFor = 100;
  const deadline = new AbortController();
  const watched = clientOver({
    ...client,
    request: async (request) => {
      const answer = await client.request(request);
      if (request.url.includes('/messages')) deadline.abort();
      return answer;
    },
  });
  const document = { ...text, type: 'document' as const, url: `${shop.root}/a.pdf` };
  const result = await max.send?.(document, own, watched, { now: new Date(), deadline: deadline.signal });
  assert.partialDeepStrictEqual(result, { error: { code: 'temporary', mayHaveBeenSent: false } });
});

test('a document whose upload failed has not been sent', async (t) => {
  const { bot, send } = await scene(t);
  const shop = await startHttpApi(t, () => ({ status: 200, body: 'bytes' }));
  bot.react(({ path }) => (path === '/upload/1' ? { status: 502, body: '<html>' } : null));
  const document = { ...text, type: 'document' as const, url: `${shop.root}/a.pdf` };
  assert.partialDeepStrictEqual(await send(document), {
    error: { code: 'temporary', mayHaveBeenSent: false },
  });
});

test('a client who stopped the bot and an unknown client have different errors', async (t) => {
  const { bot, send } = await scene(t);
  bot.blocked.add('777');
  assert.partialDeepStrictEqual(await send(text), { error: { code: 'blocked' } });
  assert.partialDeepStrictEqual(await send({ ...text, chat: { ...text.chat, externalId: 'x' } }), {
    error: { code: 'invalid_recipient' },
  });
});

const refusals: [status: number, code: string, means: object][] = [
  [400, 'proto.payload', { code: 'bad_content' }],
  [401, 'verify.token', { code: 'auth' }],
  [403, 'verify.token', { code: 'auth' }],
  [403, 'chat.denied', { code: 'blocked' }],
  [404, 'chat.not.found', { code: 'invalid_recipient' }],
  [429, 'too.many.requests', { code: 'rate_limited', retryAfterMs: 1000 }],
  [503, 'service.unavailable', { code: 'temporary', mayHaveBeenSent: true }],
];

for (const [status, code, means] of refusals) {
  test(`the refusal ${status} ${code} is understood`, async (t) => {
    const { bot, send } = await scene(t);
    bot.react(() => maxError(status, code, `In words, for ${access_token}.`));
    assert.partialDeepStrictEqual(await send(text), {
      sent: false,
      error: { ...means, detail: 'In words, for ***.' },
    });
  });
}

test("a response from another server than Max's is no refusal", async (t) => {
  const { bot, send } = await scene(t);
  const doubtful = { sent: false, error: { code: 'temporary', mayHaveBeenSent: true } };
  bot.react(() => ({ status: 403, body: '<html>Forbidden</html>' }));
  assert.partialDeepStrictEqual(await send(text), doubtful);
  bot.react(() => ({ status: 200, body: '<html>Sign in</html>' }));
  assert.partialDeepStrictEqual(await send(text), doubtful);
  bot.react(() => 'close');
  assert.partialDeepStrictEqual(await send(text), doubtful);
  bot.react(() => ({ status: 429, headers: { 'retry-after': '7' } }));
  assert.partialDeepStrictEqual(await send(text), { error: { code: 'rate_limited', retryAfterMs: 7000 } });
});
