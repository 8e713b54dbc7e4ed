import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import type { ApiAnswer } from '../../../simulator/http-api.ts';
import { invalid, quotaExceeded, startGateway } from '../../../simulator/max-personal/provider.ts';
import type { OutgoingMessage } from '../../contract/adapter.ts';
import { maxPersonal } from './adapter.ts';

const instance = { instance_id: '3100000001', api_token: 'd75b3a66374942c5b3c019c698abc2067e151558acbd4512' };

const text: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Hello',
  url: null,
  buttons: [],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: '10000000' },
};
const toPhone = { ...text, chat: { ...text.chat, externalId: '+79991234567' } };

async function scene(t: { after(cleanUp: () => unknown): void }) {
  const gateway = await startGateway(t, instance);
  const client = clientOver(testOutbound(t));
  const own = { ...instance, api_root: `${gateway.root}/` };
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  const send = (message: OutgoingMessage) => maxPersonal.send?.(message, own, client, attempt);
  return { gateway, send };
}

test('a text goes to the chat, and its id is the provider’s', async (t) => {
  const { gateway, send } = await scene(t);
  assert.deepEqual(await send(text), { sent: true, providerId: '1763115000001' });
  assert.deepEqual(gateway.sent[0]?.body, { chatId: '10000000', message: 'Hello' });
  assert.equal(gateway.calls.length, 1);
});

test('a chat is looked up by its phone number', async (t) => {
  const { gateway, send } = await scene(t);
  gateway.accounts.set(79991234567, '10000000');
  assert.partialDeepStrictEqual(await send(toPhone), { sent: true });
  assert.deepEqual(gateway.sent[0]?.body, { chatId: '10000000', message: 'Hello' });
});

test('an answer to a client who wrote looks up no number', async (t) => {
  const { gateway, send } = await scene(t);
  const wrote = { ...text, chat: { ...text.chat, externalId: '+16505551234', lastingIds: ['10000000'] } };
  assert.partialDeepStrictEqual(await send(wrote), { sent: true });
  assert.deepEqual(gateway.sent[0]?.body, { chatId: '10000000', message: 'Hello' });
  assert.equal(gateway.calls.length, 1);
});

test('a number without an account, or of an unsupported country, is no recipient', async (t) => {
  const { gateway, send } = await scene(t);
  const nobody = { sent: false, error: { code: 'invalid_recipient' } };
  assert.partialDeepStrictEqual(await send(toPhone), nobody);
  const abroad = { ...text, chat: { ...text.chat, externalId: '+16505551234' } };
  assert.partialDeepStrictEqual(await send(abroad), nobody);
  gateway.react(() => ({ status: 200, body: { exist: false, chatId: '10000000' } }));
  assert.partialDeepStrictEqual(await send(toPhone), nobody);
  assert.equal(gateway.sent.length, 0);
});

test('if the lookup of the chat fails, nothing has been sent', async (t) => {
  const { gateway, send } = await scene(t);
  const unsent = { sent: false, error: { code: 'temporary', mayHaveBeenSent: false } };
  gateway.react(() => ({ status: 502, body: '<html>' }));
  assert.partialDeepStrictEqual(await send(toPhone), unsent);
  gateway.react(() => 'close');
  assert.partialDeepStrictEqual(await send(toPhone), unsent);
  gateway.react(() => ({ status: 200, body: {} }));
  assert.partialDeepStrictEqual(await send(toPhone), unsent);
});

test('pictures and documents are sent by their addresses, with names that show their types', async (t) => {
  const { gateway, send } = await scene(t);
  const image = { ...text, type: 'image' as const, url: 'https://shop.example/cat?id=7' };
  assert.partialDeepStrictEqual(await send(image), { sent: true });
  const document = { ...text, type: 'document' as const, text: null, url: 'https://shop.example/a%20b.pdf' };
  assert.partialDeepStrictEqual(await send(document), { sent: true });
  assert.deepEqual(gateway.sent, [
    {
      idMessage: '1763115000001',
      method: 'sendFileByUrl',
      body: { chatId: '10000000', urlFile: image.url, fileName: 'cat.jpg', caption: 'Hello' },
    },
    {
      idMessage: '1763115000002',
      method: 'sendFileByUrl',
      body: { chatId: '10000000', urlFile: document.url, fileName: 'a b.pdf' },
    },
  ]);
});

const refusals: [what: string, answer: ApiAnswer, means: object][] = [
  ['a chat that is none', invalid("Validation failed. Details: 'chatId'"), { code: 'invalid_recipient' }],
  ['content that is none', invalid('bad request data'), { code: 'bad_content' }],
  [
    'an expired instance',
    invalid('Instance account is expired. Renew your instance from personal area'),
    { code: 'auth' },
  ],
  [
    'a starting instance',
    invalid('instance is starting or not authorized'),
    { code: 'temporary', mayHaveBeenSent: false },
  ],
  ['a wrong token', { status: 401, body: 'Unauthorized' }, { code: 'auth', detail: 'Unauthorized' }],
  ['a wrong instance', { status: 403, body: 'Forbidden' }, { code: 'auth' }],
  [
    'an account that is held back',
    { status: 403, body: { message: 'Your account is suspended' } },
    { code: 'temporary', mayHaveBeenSent: false },
  ],
  ['haste', { status: 429 }, { code: 'rate_limited', retryAfterMs: 1000, scope: 'channel' }],
  ['haste with a hint', { status: 429, headers: { 'retry-after': '7' } }, { retryAfterMs: 7000 }],
  [
    'a chat beyond the plan',
    quotaExceeded,
    { code: 'rate_limited', scope: 'chat', detail: 'Monthly quota has been exceeded.' },
  ],
  ['trouble', { status: 500, body: { message: 'Oops' } }, { code: 'temporary', mayHaveBeenSent: true }],
  ['a page', { status: 403, body: '<html>No</html>' }, { code: 'temporary', mayHaveBeenSent: true }],
  ['a page of success', { status: 200, body: '<html>' }, { code: 'temporary', mayHaveBeenSent: true }],
];

for (const [what, answer, means] of refusals) {
  test(`the refusal for ${what} is understood`, async (t) => {
    const { gateway, send } = await scene(t);
    gateway.react(() => answer);
    assert.partialDeepStrictEqual(await send(text), { sent: false, error: means });
  });
}

test('the token is in no stored reason', async (t) => {
  const { gateway, send } = await scene(t);
  gateway.react(({ path }) => invalid(`Cannot POST ${path}`));
  const result = await send(text);
  assert.ok(result && !result.sent && !JSON.stringify(result).includes(instance.api_token));
});
