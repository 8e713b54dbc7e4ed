import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { testOutbound } from '../../../../test/outbound.ts';
import { answerWith, type Delivery, startMessenger } from '../../../../test/stand-ins/messenger.ts';
import { OutboundFailed } from '../../../platform/outbound/outbound.ts';
import type { OutgoingMessage, SendResult } from '../../contract/adapter.ts';
import { send } from './send.ts';

const now = new Date();
const attempt = { now, deadline: new AbortController().signal };
const whsec = `whsec_${Buffer.from('a key of the messenger').toString('base64')}`;

const message: OutgoingMessage = {
  uuid: '01990000-0000-7000-8000-000000000001',
  type: 'text',
  text: 'Your order is ready ✅',
  url: null,
  buttons: [{ text: 'Thanks', payload: 'thanks' }],
  chat: { uuid: '01990000-0000-7000-8000-000000000002', externalId: 'client-7' },
};

async function setUp(t: TestContext, secret = whsec) {
  const messenger = await startMessenger(t);
  const http = testOutbound(t);
  const sendTo = (url = messenger.url) => send(message, { webhook_url: url, secret }, http, attempt);
  return { messenger, send: sendTo };
}

/** The result for a receiver's response with this status. */
async function resultOf(t: TestContext, status: number, headers = {}): Promise<SendResult> {
  const { messenger, send } = await setUp(t);
  messenger.behave(answerWith(status, headers));
  return send();
}

const only = ([delivery]: Delivery[]): Delivery => {
  assert.ok(delivery);
  return delivery;
};

test('the receiver gets the message in the documented form', async (t) => {
  const { messenger, send } = await setUp(t);
  await send();
  const { body, headers } = only(messenger.deliveries);
  assert.deepEqual(body, {
    event_type: 'message',
    payload: {
      message: {
        uuid: message.uuid,
        type: 'text',
        text: 'Your order is ready ✅',
        url: null,
        buttons: [{ text: 'Thanks', payload: 'thanks' }],
      },
      chat: { uuid: message.chat.uuid, external_id: 'client-7' },
    },
    timestamp: now.getTime(),
  });
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['idempotency-key'], message.uuid);
  assert.equal(headers['webhook-id'], message.uuid);
});

test('a secret with whsec_ signs as libraries for Standard Webhooks expect', async (t) => {
  const { messenger, send } = await setUp(t);
  await send();
  const { raw, headers } = only(messenger.deliveries);
  new Webhook(whsec).verify(raw, webhookHeaders(headers));
  assert.throws(() =>
    new Webhook(Buffer.from('another key').toString('base64')).verify(raw, webhookHeaders(headers)),
  );
});

for (const secret of [
  's3cret',
  'correct horse battery staple',
  'not*base64',
  'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
]) {
  test(`the secret "${secret}" verifies with its own characters as the key`, async (t) => {
    const { messenger, send } = await setUp(t, secret);
    await send();
    const { raw, headers } = only(messenger.deliveries);
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`;
    const expected = `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
    assert.ok(String(headers['webhook-signature']).split(' ').includes(expected));
  });
}

test('a base64 secret without whsec_ verifies in libraries, which decode it', async (t) => {
  const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const { messenger, send } = await setUp(t, secret);
  await send();
  const { raw, headers } = only(messenger.deliveries);
  new Webhook(secret).verify(raw, webhookHeaders(headers));
});

const webhookHeaders = (headers: Delivery['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

test("any 2xx is SENT, with the receiver's id", async (t) => {
  const { messenger, send } = await setUp(t);
  const answers: [status: number, body: string, providerId: string | null][] = [
    [200, '{"message_id": "m-1"}', 'm-1'],
    [201, '{"message_id": 17}', '17'],
    [201, '{"message_id": 9007199254740993}', '9007199254740993'],
    [202, '', null],
    [204, '', null],
    [200, 'ok', null],
    [200, '{"message_id": null}', null],
    [200, '{"message_id": {"deep": true}}', null],
    [200, '{"message_id": ""}', null],
    [200, '{"message_id": "broken', null],
    [200, 'null "message_id"', null],
    [200, `{"message_id": "${'x'.repeat(256)}"}`, null],
    [200, '{"message_id": "a\\u0000b"}', null],
    [200, '{"message_id": "\\ud800"}', null],
    [200, `{"message_id": "m-2", "more": "${'x'.repeat(10_000)}"}`, null],
  ];
  for (const [status, body, providerId] of answers) {
    messenger.behave(answerWith(status, {}, body));
    assert.deepEqual(await send(), { sent: true, providerId }, body.slice(0, 60));
  }
});

const refusals: [status: number, code: string][] = [
  [400, 'bad_content'],
  [401, 'auth'],
  [402, 'bad_content'],
  [403, 'blocked'],
  [404, 'invalid_recipient'],
  [410, 'invalid_recipient'],
  [413, 'bad_content'],
  [422, 'bad_content'],
  [499, 'bad_content'],
];

for (const [status, code] of refusals) {
  test(`${status} is a final refusal: ${code}`, async (t) => {
    assert.deepEqual(await resultOf(t, status), {
      sent: false,
      error: { code, detail: `The receiver answered ${status}.` },
    });
  });
}

test('429 pauses for Retry-After, or for a second without it', async (t) => {
  const limited = (retryAfterMs: number) => ({
    sent: false,
    error: { code: 'rate_limited', retryAfterMs, detail: 'The receiver answered 429.' },
  });
  assert.deepEqual(await resultOf(t, 429, { 'retry-after': '30' }), limited(30_000));
  assert.deepEqual(await resultOf(t, 429), limited(1000));
  assert.deepEqual(await resultOf(t, 429, { 'retry-after': 'soon' }), limited(1000));
});

for (const status of [500, 502, 503, 504, 301, 302, 307]) {
  test(`${status} is temporary, and the message may have been received`, async (t) => {
    assert.deepEqual(await resultOf(t, status, { location: 'http://127.0.0.1:1/' }), {
      sent: false,
      error: { code: 'temporary', mayHaveBeenSent: true, detail: `The receiver answered ${status}.` },
    });
  });
}

test('a 503 may name the time to retry', async (t) => {
  assert.deepEqual(await resultOf(t, 503, { 'retry-after': '120' }), {
    sent: false,
    error: {
      code: 'temporary',
      mayHaveBeenSent: true,
      retryAfterMs: 120_000,
      detail: 'The receiver answered 503.',
    },
  });
});

test('a connection that closes during the call leaves open whether the message was received', async (t) => {
  const { messenger, send } = await setUp(t);
  messenger.behave((_delivery, response) => response.destroy());
  const result = await send();
  assert.ok(!result.sent && result.error.code === 'temporary' && result.error.mayHaveBeenSent);
});

test('a receiver that could not be reached has received nothing', async (t) => {
  const { send } = await setUp(t);
  const result = await send('http://127.0.0.1:1/');
  assert.ok(!result.sent && result.error.code === 'temporary' && !result.error.mayHaveBeenSent);
});

test('a timeout is temporary, and says whether the request may have been sent', async () => {
  for (const written of [true, false]) {
    const http = {
      request: () => Promise.reject(new OutboundFailed('timeout', written)),
      check: async () => {},
      addressesOf: async () => [],
      close: async () => {},
    };
    const result = await send(message, { webhook_url: 'https://example.com/', secret: whsec }, http, attempt);
    assert.ok(!result.sent && result.error.code === 'temporary' && result.error.mayHaveBeenSent === written);
  }
});

test('an address that our guard refuses stops the channel with its reason', async (t) => {
  const { send } = await setUp(t);
  assert.deepEqual(await send('http://10.0.0.1/'), {
    sent: false,
    error: { code: 'auth', detail: 'The host 10.0.0.1 is not on the public internet.' },
  });
});
