import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { startHttpApi } from '../../../simulator/http-api.ts';
import { okError, startOk } from '../../../simulator/odnoklassniki/provider.ts';
import type { OutgoingMessage } from '../../contract/adapter.ts';
import { odnoklassniki } from './adapter.ts';

const access_token = 'tkn1:SECRET+/=';

const text: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Hello',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: 'chat:C3ecb9d02a600' },
};

async function scene(t: { after(cleanUp: () => unknown): void }) {
  const ok = await startOk(t, { access_token });
  const client = clientOver(testOutbound(t));
  const own = { access_token, api_root: ok.root };
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  const send = (message: OutgoingMessage) => odnoklassniki.send?.(message, own, client, attempt);
  return { ok, send };
}

test('a text goes to the chat, and its id is the provider’s', async (t) => {
  const { ok, send } = await scene(t);
  assert.deepEqual(await send(text), { sent: true, providerId: 'mid:C1.1' });
  assert.deepEqual(ok.sent[0], {
    message_id: 'mid:C1.1',
    chat_id: 'chat:C3ecb9d02a600',
    message: { text: 'Hello' },
  });
});

test('a picture is sent by its address, with buttons that carry the partner’s payload', async (t) => {
  const { ok, send } = await scene(t);
  const link = { text: 'Shop', url: 'https://shop.example/' };
  const buttons = [{ text: 'Yes', payload: 'да "1"' }, { text: 'No' }, link];
  const image = { ...text, type: 'image' as const, url: 'https://shop.example/cat.png', buttons };
  assert.partialDeepStrictEqual(await send(image), { sent: true });
  assert.deepEqual(ok.sent[0]?.message, {
    text: 'Hello',
    attachments: [
      { type: 'IMAGE', payload: { url: 'https://shop.example/cat.png' } },
      {
        type: 'INLINE_KEYBOARD',
        payload: {
          keyboard: {
            buttons: [
              [{ type: 'CALLBACK', text: 'Yes', intent: 'DEFAULT', payload: 'да "1"' }],
              [{ type: 'CALLBACK', text: 'No', intent: 'DEFAULT', payload: 'No' }],
              [{ type: 'LINK', text: 'Shop', intent: 'DEFAULT', url: 'https://shop.example/' }],
            ],
          },
        },
      },
    ],
  });
});

test('a document is uploaded', async (t) => {
  const { ok, send } = await scene(t);
  const shop = await startHttpApi(t, ({ path }) => ({ status: path === '/gone' ? 404 : 200, body: 'bytes' }));
  const document = { ...text, type: 'document' as const, text: null, url: `${shop.root}/a.pdf` };
  assert.partialDeepStrictEqual(await send(document), { sent: true });
  assert.deepEqual(ok.sent[0]?.message, { attachments: [{ type: 'FILE', payload: { token: 'token-1' } }] });
  assert.equal(ok.files.get('token-1')?.toString(), 'bytes');
  assert.partialDeepStrictEqual(await send({ ...document, url: `${shop.root}/gone` }), {
    error: { code: 'bad_content' },
  });
});

test('a document whose upload failed has not been sent', async (t) => {
  const { ok, send } = await scene(t);
  const shop = await startHttpApi(t, () => ({ status: 200, body: 'bytes' }));
  const document = { ...text, type: 'document' as const, url: `${shop.root}/a.pdf` };
  const unsent = { error: { code: 'temporary', mayHaveBeenSent: false } };
  ok.react(({ path }) => (path === '/upload/1' ? { status: 502, body: '<html>' } : null));
  assert.partialDeepStrictEqual(await send(document), unsent);
  ok.react(({ path }) => (path === '/graph/me/fileUploadUrl' ? okError(2, 'SERVICE') : null));
  assert.partialDeepStrictEqual(await send(document), unsent);
});

test('a client who forbids messages and an unknown chat have different errors', async (t) => {
  const { ok, send } = await scene(t);
  ok.blocked.add(text.chat.externalId);
  assert.partialDeepStrictEqual(await send(text), { error: { code: 'not_opted_in' } });
  assert.partialDeepStrictEqual(await send({ ...text, chat: { ...text.chat, externalId: 'x/../y' } }), {
    error: { code: 'invalid_recipient' },
  });
});

const refusals: [code: number, means: object][] = [
  [7, { code: 'rate_limited', retryAfterMs: 60_000, scope: 'channel' }],
  [10, { code: 'not_opted_in' }],
  [22, { code: 'invalid_recipient' }],
  [110, { code: 'invalid_recipient' }],
  [100, { code: 'bad_content' }],
  [8, { code: 'rate_limited', scope: 'channel' }],
  [11, { code: 'rate_limited', scope: 'channel' }],
  [26, { code: 'rate_limited', scope: 'chat' }],
  [102, { code: 'auth' }],
  [103, { code: 'auth' }],
  [2, { code: 'temporary', mayHaveBeenSent: true }],
  [99999, { code: 'temporary' }],
];

for (const [code, means] of refusals) {
  test(`the refusal ${code} is understood`, async (t) => {
    const { ok, send } = await scene(t);
    ok.react(() => okError(code, `For ${access_token} and ${encodeURIComponent(access_token)}.`));
    assert.partialDeepStrictEqual(await send(text), {
      sent: false,
      error: { ...means, detail: 'For *** and ***.' },
    });
  });
}

test('a response from another server than that of Odnoklassniki is no refusal', async (t) => {
  const { ok, send } = await scene(t);
  const doubtful = { sent: false, error: { code: 'temporary', mayHaveBeenSent: true } };
  ok.react(() => ({ status: 403, body: '<html>Forbidden</html>' }));
  assert.partialDeepStrictEqual(await send(text), doubtful);
  ok.react(() => ({ status: 200, body: '<html>Sign in</html>' }));
  assert.partialDeepStrictEqual(await send(text), doubtful);
  ok.react(() => 'close');
  assert.partialDeepStrictEqual(await send(text), doubtful);
  ok.react(() => ({ status: 429, headers: { 'retry-after': '7' } }));
  assert.partialDeepStrictEqual(await send(text), { error: { code: 'rate_limited', retryAfterMs: 7000 } });
});
