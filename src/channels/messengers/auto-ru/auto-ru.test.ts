import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { clientOver, deliver } from '../../../../test/adapter.ts';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import { autoRuError, startAutoRu } from '../../../simulator/auto-ru/provider.ts';
import { type ApiAnswer, startHttpApi } from '../../../simulator/http-api.ts';
import type { OutgoingMessage } from '../../contract/adapter.ts';
import { autoRu } from './adapter.ts';

const dealer = { token: 'fh5GkT67' };
const log = pino({ level: 'silent' });

const text: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Hello',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: 'a3bc21' },
};

async function scene(t: { after(cleanUp: () => unknown): void }) {
  const provider = await startAutoRu(t, dealer);
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], log });
  t.after(() => outbound.close());
  const client = clientOver(outbound);
  const attempt = { now: new Date('2026-06-01T12:00:00Z'), deadline: new AbortController().signal };
  const send = (message: OutgoingMessage, settings = dealer) =>
    autoRu.send?.(message, { ...settings, api_root: provider.root }, client, attempt);
  return { provider, send };
}

test('a text is sent once, in any number of attempts', async (t) => {
  const { provider, send } = await scene(t);
  assert.deepEqual(await send(text), { sent: true, providerId: null });
  assert.deepEqual(await send(text), { sent: true, providerId: null });
  assert.deepEqual(provider.sent, [
    { recipient: 'a3bc21', sender: 'Оператор', message: { type: 'text', id: text.uuid, text: 'Hello' } },
  ]);
});

test('a picture is sent by its address', async (t) => {
  const { provider, send } = await scene(t);
  const url = 'https://shop.example/cat.png';
  assert.partialDeepStrictEqual(await send({ ...text, type: 'image', text: null, url }), { sent: true });
  assert.deepEqual(provider.sent[0]?.message, { type: 'photo', file: url, id: text.uuid });
});

const page = { 'content-type': 'text/html; charset=utf-8' };

const answers: [what: string, answer: ApiAnswer, means: object][] = [
  ['a bad request', autoRuError(400, 'BAD_REQUEST', 'No text'), { code: 'bad_content', detail: 'No text' }],
  [
    'a refused token, which is not shown',
    autoRuError(401, 'NO_AUTH', `No dealer ${dealer.token}`),
    { code: 'auth', detail: 'No dealer ***' },
  ],
  [
    'a trouble of Auto.ru',
    autoRuError(500, 'INTERNAL', 'Later'),
    { code: 'temporary', mayHaveBeenSent: true },
  ],
  ['a page behind a 200', { status: 200, body: '<html>', headers: page }, { code: 'temporary' }],
  ['a page behind a 403', { status: 403, body: '<html>', headers: page }, { code: 'temporary' }],
  ['a rate limit', { status: 429 }, { code: 'rate_limited', retryAfterMs: 1_000 }],
  [
    'a rate limit with a hint',
    { status: 429, headers: { 'retry-after': '7' } },
    { code: 'rate_limited', retryAfterMs: 7_000 },
  ],
  ['a closed connection', 'close', { code: 'temporary', mayHaveBeenSent: true }],
];

for (const [what, answer, means] of answers) {
  test(`${what} is understood`, async (t) => {
    const { provider, send } = await scene(t);
    provider.react(() => answer);
    assert.partialDeepStrictEqual(await send(text), { sent: false, error: means });
  });
}

test('a wrong token is the channel’s fault', async (t) => {
  const { send } = await scene(t);
  assert.partialDeepStrictEqual(await send(text, { token: 'other' }), { error: { code: 'auth' } });
});

const sender = {
  id: 'a3bc21',
  name: 'ivan',
  photo: 'https://avatars.example/1',
  url: 'https://auto.ru/cars/1',
  title: 'Mercedes',
};

const post = (body: object | string, query: Record<string, string> = { chat_id: dealer.token }) =>
  deliver(autoRu, dealer, { body, query });

function eventsOf(message: object) {
  const verdict = post({ sender, message });
  assert.ok(verdict.accepted);
  return verdict.events;
}

test('a text becomes a message, identified by its id', () => {
  assert.deepEqual(eventsOf({ type: 'text', id: '2b17a38c', text: 'Is it sold?' }), [
    {
      kind: 'message',
      chat: { externalId: 'a3bc21', name: 'ivan' },
      message: { externalId: '2b17a38c', type: 'text', text: 'Is it sold?', url: null, payload: null },
    },
  ]);
});

test('a picture becomes a file, even if its address has no scheme', () => {
  for (const file of ['https://avatars.example/2', '//avatars.example/2']) {
    assert.partialDeepStrictEqual(
      eventsOf({ type: 'photo', id: '3', file, thumb: 'https://avatars.example/t' }),
      [
        {
          message: { externalId: '3', type: 'image', text: null, file: { url: 'https://avatars.example/2' } },
        },
      ],
    );
  }
});

test('an id that is a large number keeps its digits', () => {
  const verdict = post('{"sender":{"id":9007199254740993},"message":{"type":"text","id":1,"text":"Hi"}}');
  assert.ok(verdict.accepted);
  assert.partialDeepStrictEqual(verdict.events, [{ chat: { externalId: '9007199254740993' } }]);
});

test('messages for another dealer and unknown bodies are refused', () => {
  const message = { type: 'text', id: '1', text: 'Hi' };
  assert.deepEqual(post({ sender, message }, { chat_id: 'other' }), { accepted: false, status: 403 });
  for (const body of ['', '{', '[]', '{}', { sender }, { message }]) {
    assert.deepEqual(post(body), { accepted: false, status: 400 });
  }
  assert.deepEqual(eventsOf({ type: 'typing', id: '1' }), []);
});

test('the stand-in sends and answers JSON, which its headers name', async (t) => {
  const dealers = await startHttpApi(t, () => ({ status: 200 }));
  const { provider, send } = await scene(t);
  await provider.write(`${dealers.root}/channel`, { id: '1' }, { type: 'text', id: 'm1', text: 'Hi' });
  const [{ headers, query } = assert.fail()] = dealers.calls;
  assert.deepEqual([headers['content-type'], query.get('chat_id')], ['application/json', dealer.token]);
  await send(text);
  const { body } = provider.calls[0] ?? assert.fail();
  const url = `${provider.root}/1.0/aggregators/auto/hook?token=${dealer.token}`;
  const answer = await fetch(url, { method: 'POST', body: new Uint8Array(body) });
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
});
