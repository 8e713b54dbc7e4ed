import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { clientOver, deliver } from '../../../../test/adapter.ts';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import { type ApiAnswer, startHttpApi } from '../../../simulator/http-api.ts';
import { ozonError, startOzon } from '../../../simulator/ozon/provider.ts';
import type { OutgoingMessage } from '../../contract/adapter.ts';
import { ozon } from './adapter.ts';

const seller = { client_id: '7', api_key: 'the-api-key' };
const log = pino({ level: 'silent' });
const chatId = 'b646d975-0c9c-4872-9f41-8b1e57181063';

const text: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Hello',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: chatId },
};

async function scene(t: { after(cleanUp: () => unknown): void }) {
  const provider = await startOzon(t, seller);
  provider.chats.set(chatId, []);
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], log });
  t.after(() => outbound.close());
  const client = clientOver(outbound);
  const own = { ...seller, api_root: provider.root };
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  const send = (message: OutgoingMessage, deadline = attempt.deadline) =>
    ozon.send?.(message, own, client, { ...attempt, deadline });
  const messages = () => provider.chats.get(chatId) ?? [];
  return { provider, client, own, send, messages };
}

test('a text gets its id from the history, with all its digits', async (t) => {
  const { send, messages } = await scene(t);
  for (let place = 0; place < 3; place += 1) {
    const result = await send(text);
    assert.deepEqual(result, { sent: true, providerId: String(messages()[place]?.id) });
  }
  assert.deepEqual(messages()[0]?.data, ['Hello']);
  assert.equal(messages()[0]?.id, 3_000_000_000_817_031_943n);
});

test("characters that Markdown escapes make no difference, and other people's messages are never ours", async (t) => {
  const { provider, send, messages } = await scene(t);
  const created_at = new Date().toISOString();
  const ours = { id: 5n, by: 'Seller' as const, data: ['1\\. a\\_b'], created_at };
  const theirs = { ...ours, id: 6n, by: 'Customer' as const, data: ['1. a_b'] };
  const old = { ...ours, id: 4n, data: ['Old'], created_at: '2020-01-01T00:00:00Z' };
  const deadline = new AbortController();
  let looks = 0;
  provider.react(({ path }) => {
    looks += path === '/v3/chat/history' ? 1 : 0;
    if (looks === 3) deadline.abort();
    if (path !== '/v1/chat/send/message') return null;
    messages().push(old, ours, theirs);
    return { status: 200, body: { result: 'success' } };
  });
  assert.deepEqual(await send({ ...text, text: '1. a_b' }), { sent: true, providerId: '5' });
  assert.deepEqual(await send({ ...text, text: 'Old' }, deadline.signal), { sent: true, providerId: null });
});

test('a message that the history shows later is looked for again, and its deadline ends the search', async (t) => {
  const { provider, send, messages } = await scene(t);
  const nothing = { status: 200, body: { messages: [] } };
  let looks = 0;
  let until = () => looks > 1;
  provider.react(({ path }) => {
    if (path !== '/v3/chat/history') return null;
    looks += 1;
    return until() ? null : nothing;
  });
  assert.deepEqual(await send(text), { sent: true, providerId: String(messages()[0]?.id) });
  assert.equal(looks, 2);
  const deadline = new AbortController();
  until = () => {
    if (looks === 4) deadline.abort();
    return false;
  };
  assert.deepEqual(await send(text, deadline.signal), { sent: true, providerId: null });
});

test('a sent message is SENT, even if the history cannot be read', async (t) => {
  const { provider, send } = await scene(t);
  for (const answer of ['close', { status: 500, body: '<html>' }, { status: 200, body: '[]' }] as const) {
    provider.react(({ path }) => (path === '/v3/chat/history' ? answer : null));
    assert.deepEqual(await send(text), { sent: true, providerId: null });
  }
});

test('pictures and documents are sent as bytes', async (t) => {
  const { provider, send, messages } = await scene(t);
  const shop = await startHttpApi(t, ({ path }) => ({
    status: path === '/gone' ? 404 : 200,
    body: 'bytes',
    headers: { 'content-type': 'image/png' },
  }));
  const image = { ...text, type: 'image' as const, text: null, url: `${shop.root}/cat` };
  assert.deepEqual(await send(image), { sent: true, providerId: String(messages()[0]?.id) });
  const document = { ...image, type: 'document' as const, url: `${shop.root}/a%20b.pdf` };
  assert.deepEqual(await send(document), { sent: true, providerId: String(messages()[1]?.id) });
  assert.deepEqual(
    [...provider.files].map(([path, bytes]) => [path.split('/').at(-1), String(bytes)]),
    [
      ['cat.png', 'bytes'],
      ['a%20b.pdf', 'bytes'],
    ],
  );
  assert.partialDeepStrictEqual(await send({ ...image, url: `${shop.root}/gone` }), {
    error: { code: 'bad_content' },
  });
});

const answers: [what: string, answer: ApiAnswer, means: object][] = [
  ['a bad text', ozonError(400, 3, 'too long'), { code: 'bad_content', detail: 'too long' }],
  ['a wrong key', ozonError(403, 7, 'Invalid Api-Key, please contact support'), { code: 'auth' }],
  ['a missing subscription', ozonError(403, 7, 'Premium Plus is needed'), { code: 'auth' }],
  ['a chat that is closed for us', ozonError(403, 7, 'access denied'), { code: 'window_closed' }],
  ['a chat that is not there', ozonError(404, 5, 'chat not found'), { code: 'invalid_recipient' }],
  ['a trouble of Ozon', ozonError(500, 13, 'oops'), { code: 'temporary', mayHaveBeenSent: true }],
  ['a page', { status: 403, body: '<html>' }, { code: 'temporary' }],
  ['a page behind a 200', { status: 200, body: '<html>' }, { code: 'temporary' }],
  ['a closed connection', 'close', { code: 'temporary', mayHaveBeenSent: true }],
  ['a rate limit', ozonError(429, 8, 'slow'), { code: 'rate_limited', retryAfterMs: 1_000 }],
  [
    'a rate limit with a hint',
    { status: 429, headers: { 'retry-after': '7' } },
    { code: 'rate_limited', retryAfterMs: 7_000 },
  ],
];

for (const [what, answer, means] of answers) {
  test(`${what} is understood`, async (t) => {
    const { provider, send } = await scene(t);
    provider.react(() => answer);
    assert.partialDeepStrictEqual(await send(text), { sent: false, error: means });
  });
}

test('wrong keys are reported in Ozon’s words', async (t) => {
  const { client, own } = await scene(t);
  assert.deepEqual(await ozon.learn?.(own, client), {});
  await assert.rejects(async () => ozon.learn?.({ ...own, api_key: 'other' }, client), {
    message: 'Ozon refused: Invalid Api-Key, please contact support',
  });
});

function told(body: object, settings: Parameters<typeof deliver>[1] = seller) {
  const verdict = deliver(ozon, settings as typeof seller, { body });
  assert.ok(verdict.accepted);
  return { events: verdict.events, body: verdict.answer?.([]).body };
}

const said = {
  message_type: 'TYPE_NEW_MESSAGE',
  chat_id: chatId,
  chat_type: 'Buyer_Seller',
  message_id: '3000000000817031942',
  created_at: '2022-07-18T20:58:04.528Z',
  user: { id: '115568', type: '\u0421ustomer' },
  data: ['Hi'],
  seller_id: '7',
};

test('a buyer’s text becomes a message, in either spelling of the buyer’s role', () => {
  for (const type of ['Customer', '\u0421ustomer']) {
    assert.deepEqual(told({ ...said, user: { id: '1', type } }), {
      body: { result: true },
      events: [
        {
          kind: 'message',
          chat: { externalId: chatId },
          message: { externalId: said.message_id, type: 'text', text: 'Hi', url: null, payload: null },
        },
      ],
    });
  }
});

test('a numeric id keeps its digits', () => {
  for (const id of ['3000000000817031942', '3000000000817032192']) {
    const body = JSON.stringify(said).replace(`"${said.message_id}"`, id);
    const verdict = deliver(ozon, seller, { body });
    assert.ok(verdict.accepted);
    assert.partialDeepStrictEqual(verdict.events, [{ message: { externalId: id } }]);
  }
});

test('files are fetched with the keys from Ozon’s storage, and from nowhere else', async (t) => {
  const { client } = await scene(t);
  const kept = 'https://api-seller.ozon.ru/v2/chat/file/m/1.jpg';
  const report = 'https://api-seller.ozon.ru/v2/chat/file/m/2.pdf';
  const elsewhere = 'https://evil.example/v2/chat/file/m/1.jpg';
  const data = [
    'Look',
    `![](${kept})`,
    `[a b.pdf (2KB)](${report})`,
    `[here](${elsewhere})`,
    `![](${elsewhere})`,
  ];
  assert.partialDeepStrictEqual(told({ ...said, data }).events, [
    {
      message: {
        externalId: said.message_id,
        type: 'image',
        text: `Look\n[here](${elsewhere})`,
        file: { reference: kept, name: '1.jpg' },
      },
    },
    {
      message: {
        externalId: `${said.message_id}:1`,
        type: 'document',
        text: null,
        file: { reference: report, name: 'a b.pdf (2KB)' },
      },
    },
    { message: { externalId: `${said.message_id}:2`, type: 'image', file: { url: elsewhere } } },
  ]);
  assert.deepEqual(await ozon.locateFile?.(kept, seller, client), {
    url: kept,
    headers: { 'client-id': '7', 'api-key': 'the-api-key' },
  });
  for (const other of [
    elsewhere,
    'https://api-seller.ozon.ru/v1/roles',
    'https://api-seller.ozon.ru/v2/chat/file/../../x',
  ]) {
    await assert.rejects(async () => ozon.locateFile?.(other, seller, client), /not kept by Ozon/);
  }
});

test('a read receipt counts up to its id, and a closed chat has stopped', () => {
  const { user, chat_id } = said;
  const read = {
    message_type: 'TYPE_MESSAGE_READ',
    chat_id,
    user,
    last_read_message_id: '3000000000817031942',
  };
  assert.deepEqual(told(read).events, [
    { kind: 'receipt', message: { chat: chatId, upTo: '3000000000817031942' }, state: 'read', detail: '' },
  ]);
  assert.deepEqual(told({ ...read, user: { id: '1', type: 'Support' } }).events, []);
  assert.deepEqual(told({ message_type: 'TYPE_CHAT_CLOSED', chat_id, user }), {
    body: { result: true },
    events: [{ kind: 'stopped', chat: { externalId: chatId } }],
  });
});

test('a ping is answered byte for byte, and events not about chats are accepted', () => {
  const time = '2019-08-24T14:15:22Z';
  assert.deepEqual(told({ message_type: 'TYPE_PING', time }), {
    body: { version: '1.0', name: 'Patchbay', time },
    events: [],
  });
  const others = [{ message_type: 'TYPE_NEW_POSTING' }, { ...said, user: { id: '1', type: 'Support' } }];
  for (const body of [...others, { ...said, message_type: 'TYPE_UPDATE_MESSAGE' }]) {
    assert.deepEqual(told(body), { body: { result: true }, events: [] });
  }
  for (const body of ['', '{', '[]', '{}']) {
    assert.deepEqual(deliver(ozon, seller, { body }), { accepted: false, status: 400 });
  }
});
