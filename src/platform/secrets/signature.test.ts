import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signWebhook, verifyWebhook } from './signature.ts';

const timestamp = new Date('2026-11-20T04:00:00.750Z');
const body = '{"event_type":"message_created","text":"привет"}';
const sign = (...secrets: string[]) => signWebhook({ id: 'evt-1', timestamp, body, secrets });
const later = (seconds: number) => new Date(timestamp.getTime() + seconds * 1000);

test('the example of the Standard Webhooks specification is signed as written there', () => {
  const headers = signWebhook({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: new Date(1614265330 * 1000),
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  });
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a new secret is 32 random bytes in the form that receivers expect', () => {
  const secret = newWebhookSecret();
  assert.match(secret, /^whsec_/);
  assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32);
  assert.notEqual(secret, newWebhookSecret());
});

test("a receiver's own library accepts our signature", () => {
  const secret = newWebhookSecret();
  const now = new Date();
  const headers = signWebhook({ id: 'evt-1', timestamp: now, body, secrets: [secret] });
  assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
});

test('during a rotation the old and the new secret both verify, and no third one', () => {
  const [old, fresh, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
  const headers = sign(fresh, old);
  assert.equal(headers['webhook-signature'].split(' ').length, 2);
  assert.deepEqual(
    [old, fresh, other].map((secret) => verifyWebhook(headers, body, secret, timestamp)),
    [true, true, false],
  );
});

test('a changed body, id, time or signature does not verify', () => {
  const secret = newWebhookSecret();
  const headers = sign(secret);
  const changed = [
    { headers, body: `${body} ` },
    { headers: { ...headers, 'webhook-id': 'evt-2' }, body },
    { headers: { ...headers, 'webhook-timestamp': '1795147201' }, body },
    { headers: { ...headers, 'webhook-timestamp': 'soon' }, body },
    {
      headers: { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v1a,') },
      body,
    },
    { headers: { ...headers, 'webhook-signature': '' }, body },
  ];
  assert.equal(verifyWebhook(headers, body, secret, timestamp), true);
  for (const [index, forged] of changed.entries()) {
    assert.equal(verifyWebhook(forged.headers, forged.body, secret, timestamp), false, `case ${index}`);
  }
});

test('a signature holds for five minutes on either side', () => {
  const secret = newWebhookSecret();
  const verified = (now: Date) => verifyWebhook(sign(secret), body, secret, now);
  assert.deepEqual(
    [-301, -300, 0, 300, 301].map((seconds) => verified(later(seconds))),
    [false, true, true, true, false],
  );
});

test("a user's own secret signs too", () => {
  for (const secret of ['my secret!', 'пароль', 'whsec_not base64']) {
    assert.equal(verifyWebhook(sign(secret), body, secret, timestamp), true, secret);
    assert.equal(verifyWebhook(sign(secret), body, `${secret}!`, timestamp), false, secret);
  }
});
