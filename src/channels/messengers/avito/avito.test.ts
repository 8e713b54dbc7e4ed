import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { deliver } from '../../../../test/adapter.ts';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import { avitoError, startAvito } from '../../../simulator/avito/provider.ts';
import { type ApiAnswer, startHttpApi } from '../../../simulator/http-api.ts';
import type { Client, OutgoingMessage } from '../../contract/adapter.ts';
import { CredentialsRefused } from '../../contract/failure.ts';
import { avito } from './adapter.ts';

const account = { client_id: 'client', client_secret: 's3cret', user_id: '141906442' };
const log = pino({ level: 'silent' });
const chatId = 'u2i-~1';

const text: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Hello',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: chatId },
};

async function scene(t: { after(cleanUp: () => unknown): void }) {
  const provider = await startAvito(t, account);
  provider.chats.set(chatId, []);
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], log });
  t.after(() => outbound.close());
  const own = { ...account, api_root: provider.root };
  const fetchToken = async (settings = own) => (await avito.token?.(settings, outbound))?.value ?? '';
  let token: string | null = null;
  const client: Client = {
    ...outbound,
    token: async (refused) => {
      if (token === null || token === refused) token = await fetchToken();
      return token;
    },
  };
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  const send = (message: OutgoingMessage) => avito.send?.(message, own, client, attempt);
  return { provider, client, own, send, fetchToken };
}

test("a text is sent with a fetched token, and gets Avito's id", async (t) => {
  const { provider, send } = await scene(t);
  assert.deepEqual(await send(text), { sent: true, providerId: provider.chats.get(chatId)?.[0]?.id });
  assert.partialDeepStrictEqual(provider.chats.get(chatId), [{ type: 'text', content: { text: 'Hello' } }]);
  assert.equal(provider.calls[1]?.path, '/messenger/v1/accounts/141906442/chats/u2i-~1/messages');
});

test('a token that Avito no longer accepts is replaced at once', async (t) => {
  const { provider, send } = await scene(t);
  await send(text);
  provider.expireTokens();
  assert.partialDeepStrictEqual(await send(text), { sent: true });
  assert.equal(provider.calls.filter(({ path }) => path === '/token').length, 2);
});

test('the list of addresses is asked for with an empty object', async (t) => {
  const { provider, client, own } = await scene(t);
  const ours = 'https://patchbay.test/channels/1/secret/';
  const standing = () => avito.standing?.(own, ours, client, new Date());
  assert.deepEqual(await standing(), { isRegistered: false });
  provider.webhooks.add(ours);
  assert.deepEqual(await standing(), { isRegistered: true });
  const asked = provider.calls.filter(({ path }) => path === '/messenger/v1/subscriptions');
  assert.deepEqual(
    asked.map(({ method, headers, body }) => [method, headers['content-type'], body.toString()]),
    Array(2).fill(['POST', 'application/json', '{}']),
  );
});

test('a picture is uploaded', async (t) => {
  const { provider, send } = await scene(t);
  const shop = await startHttpApi(t, ({ path }) => ({ status: path === '/gone' ? 404 : 200, body: 'bytes' }));
  const image = { ...text, type: 'image' as const, text: null, url: `${shop.root}/cat.png` };
  assert.partialDeepStrictEqual(await send(image), { sent: true });
  assert.partialDeepStrictEqual(provider.chats.get(chatId), [{ type: 'image' }]);
  assert.deepEqual([...provider.images.values()].map(String), ['bytes']);
  assert.partialDeepStrictEqual(await send({ ...image, url: `${shop.root}/gone` }), {
    error: { code: 'bad_content' },
  });
});

test('a picture whose upload failed has not been sent', async (t) => {
  const { provider, send } = await scene(t);
  const shop = await startHttpApi(t, () => ({ status: 200, body: 'bytes' }));
  provider.react(({ path }) => (path.endsWith('/uploadImages') ? { status: 502, body: '<html>' } : null));
  assert.partialDeepStrictEqual(await send({ ...text, type: 'image', url: `${shop.root}/cat.png` }), {
    error: { code: 'temporary', mayHaveBeenSent: false },
  });
});

const answers: [what: string, answer: ApiAnswer, means: object][] = [
  ['a bad text', avitoError(400, 'too long'), { code: 'bad_content', detail: 'too long' }],
  ['a tariff without messages', avitoError(403, 'buy a tariff'), { code: 'auth', detail: 'buy a tariff' }],
  ['an unpaid tariff', avitoError(402, 'pay'), { code: 'auth' }],
  ['an unknown chat', avitoError(404, 'chat not found'), { code: 'invalid_recipient' }],
  ['a refusal behind a 200', { status: 200, body: { error: { message: 'no' } } }, { code: 'temporary' }],
  ['a page', { status: 403, body: '<html>' }, { code: 'temporary', mayHaveBeenSent: true }],
  ['a trouble of Avito', avitoError(500, 'oops'), { code: 'temporary', mayHaveBeenSent: true }],
  ['a closed connection', 'close', { code: 'temporary', mayHaveBeenSent: true }],
  ['a rate limit', avitoError(429, 'slow'), { code: 'rate_limited', retryAfterMs: 5_000 }],
  [
    'a rate limit with a hint',
    { status: 429, headers: { 'retry-after': '7' } },
    { code: 'rate_limited', retryAfterMs: 7_000 },
  ],
];

for (const [what, answer, means] of answers) {
  test(`${what} is understood`, async (t) => {
    const { provider, send } = await scene(t);
    provider.react(({ path }) => (path === '/token' ? null : answer));
    assert.partialDeepStrictEqual(await send(text), { sent: false, error: means });
  });
}

test('wrong credentials are refused in Avito’s words, and a failure to fetch a token is temporary', async (t) => {
  const { provider, own, send, fetchToken } = await scene(t);
  await assert.rejects(fetchToken({ ...own, client_secret: 'other' }), (error) => {
    assert.ok(error instanceof CredentialsRefused);
    assert.equal(error.message, 'Avito refused: Client authentication failed');
    return true;
  });
  provider.react(() => ({ status: 503, body: '<html>' }));
  assert.partialDeepStrictEqual(await send(text), {
    error: { code: 'temporary', mayHaveBeenSent: false },
  });
});

test('Avito gets our address, and tests it', async (t) => {
  const { provider, client, own } = await scene(t);
  const answering = await startHttpApi(t, ({ body }) => ({ status: String(body) === '{}' ? 200 : 400 }));
  await avito.setup?.(own, `${answering.root}/a/`, client);
  assert.deepEqual([...provider.webhooks], [`${answering.root}/a/`]);
  provider.react(({ path }) => (path === '/token' ? null : avitoError(403, 'buy a tariff')));
  await assert.rejects(async () => avito.setup?.(own, 'https://patchbay.example/', client), {
    message: 'Avito refused: buy a tariff',
  });
});

const post = (body: object | string) => deliver(avito, account, { body });

const said = { id: 'm1', chat_id: chatId, user_id: 141906442, author_id: 94235311, created: 1571654040 };

function eventsOf(value: object) {
  const verdict = post({ id: 'h1', version: 'v3.0.0', timestamp: 1, payload: { type: 'message', value } });
  assert.ok(verdict.accepted);
  return verdict.events;
}

const contents: [type: string, content: object, message: object][] = [
  ['text', { text: 'Hi' }, { type: 'text', text: 'Hi' }],
  [
    'image',
    { image: { sizes: { '140x105': 'https://a.example/s', '1280x960': 'https://a.example/l' } } },
    { type: 'image', text: null, file: { url: 'https://a.example/l' } },
  ],
  [
    'voice',
    { voice: { voice_id: 'v1' } },
    { type: 'document', text: null, file: { reference: 'v1', name: 'voice.mp4' } },
  ],
  [
    'location',
    { location: { kind: 'house', lat: 55.7, lon: 37.6, title: 'Moscow', text: 'Moscow' } },
    { type: 'text', text: 'Moscow\n55.7, 37.6' },
  ],
  ['link', { link: { text: 'https://b.example', url: 'https://b.example' } }, { text: 'https://b.example' }],
  [
    'item',
    { item: { title: 'Bike', price_string: '10 ₽', item_url: 'https://avito.ru/1', image_url: 'x' } },
    { text: 'Bike\n10 ₽\nhttps://avito.ru/1' },
  ],
];

for (const [type, content, message] of contents) {
  test(`a client’s ${type} becomes a message`, () => {
    const own = { externalId: 'm1', url: null, payload: null };
    assert.partialDeepStrictEqual(eventsOf({ ...said, type, content }), [
      { kind: 'message', chat: { externalId: chatId }, message: { ...own, ...message } },
    ]);
  });
}

test('our own messages, those of Avito’s bots, and calls are no client’s messages', () => {
  const text = { type: 'text', content: { text: 'Hi' } };
  assert.deepEqual(eventsOf({ ...said, ...text, author_id: said.user_id }), []);
  assert.deepEqual(eventsOf({ ...said, ...text, user_id: undefined, author_id: 141906442 }), []);
  assert.deepEqual(eventsOf({ ...said, ...text, user_id: 5, author_id: 5 }), []);
  assert.deepEqual(eventsOf({ ...said, ...text, type: 'system' }), []);
  assert.deepEqual(eventsOf({ ...said, type: 'call', content: { call: { status: 'missed' } } }), []);
  assert.equal(eventsOf({ ...said, ...text }).length, 1);
});

test('the test of a new address is answered, and invalid JSON is refused', () => {
  assert.deepEqual(post('{}'), { accepted: true, events: [] });
  assert.deepEqual(post('{'), { accepted: false, status: 400 });
});

test('a voice message is located by its id', async (t) => {
  const { provider, client, own } = await scene(t);
  provider.voices.set('v1', 'https://a.example/v1.mp4');
  assert.deepEqual(await avito.locateFile?.('v1', own, client), { url: 'https://a.example/v1.mp4' });
  await assert.rejects(async () => avito.locateFile?.('v2', own, client), /no address/);
});

const awaitedIn = (externalId: string, ...ids: (string | null)[]) => ({
  externalId,
  messages: ids.map((providerId) => ({ uuid: 'u', providerId, sentAt: new Date() })),
});

const read = (providerId: string) => ({
  kind: 'receipt',
  message: { providerId },
  state: 'read',
  detail: '',
});

test('read receipts are found, page by page', async (t) => {
  const { provider, client, own, send } = await scene(t);
  const first = await send(text);
  provider.read(chatId);
  for (let sent = 0; sent < 100; sent += 1) await provider.write(chatId, { type: 'text', content: {} });
  const second = await send(text);
  assert.ok(first?.sent && first.providerId && second?.sent);
  const awaited = [awaitedIn(chatId, second.providerId, first.providerId, null)];
  assert.deepEqual(await avito.pollReceipts?.(awaited, own, client), [read(first.providerId)]);
});

test('a chat that Avito cannot show delays no other, and Avito in trouble is not called on', async (t) => {
  const { provider, client, own, send } = await scene(t);
  const sent = await send(text);
  assert.ok(sent?.sent && sent.providerId);
  provider.read(chatId);
  provider.react(({ path }) => (path.includes('/broken') ? avitoError(500, 'broken') : null));
  const broken = Array.from({ length: 9 }, (_, place) => awaitedIn(`broken-${place}`, 'm1'));
  const here = awaitedIn(chatId, sent.providerId);
  const more = Array.from({ length: 10 }, (_, place) => awaitedIn(`gone-${place}`, 'm1'));
  const receipts = [read(sent.providerId)];
  assert.deepEqual(await avito.pollReceipts?.([...broken, more[0] ?? here, here], own, client), receipts);
  provider.react(({ path }) => (path === '/token' ? null : avitoError(500, 'broken')));
  const before = provider.calls.length;
  await assert.rejects(async () => avito.pollReceipts?.(more.concat(here), own, client), /broken/);
  assert.equal(provider.calls.length - before, more.length);
});

test('a list of messages may be wrapped in an object', async (t) => {
  const { provider, client, own } = await scene(t);
  const messages = [
    { id: 'm1', isRead: true },
    { id: 'm2', read: 1_571_654_040 },
    { id: 'm3', is_read: false },
  ];
  provider.react(({ path }) => (path === '/token' ? null : { status: 200, body: { messages } }));
  const awaited = [awaitedIn(chatId, 'm1', 'm2', 'm3')];
  assert.deepEqual(await avito.pollReceipts?.(awaited, own, client), [read('m1'), read('m2')]);
});

test('a missing chat has no receipts, and a failure keeps the receipts from before it', async (t) => {
  const { provider, client, own, send } = await scene(t);
  const sent = await send(text);
  assert.ok(sent?.sent && sent.providerId);
  provider.read(chatId);
  const here = awaitedIn(chatId, sent.providerId);
  assert.deepEqual(await avito.pollReceipts?.([awaitedIn('gone', 'm1')], own, client), []);
  assert.deepEqual(await avito.pollReceipts?.([awaitedIn('gone', 'm1'), here], own, client), [
    read(sent.providerId),
  ]);
  provider.react(({ path }) => (path.includes('/limited/') ? avitoError(429, 'slow') : null));
  const limited = awaitedIn('limited', 'm1');
  assert.deepEqual(await avito.pollReceipts?.([here, limited], own, client), [read(sent.providerId)]);
  await assert.rejects(async () => avito.pollReceipts?.([limited], own, client), /slow/);
  // Avito is not called until the next round.
  const later = Array.from({ length: 10 }, (_, place) => awaitedIn(`later-${place}`, 'm1'));
  await avito.pollReceipts?.([here, limited, ...later], own, client);
  assert.ok(!provider.calls.some(({ path }) => path.includes('/later-9/')));
});
