import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { answerWith, type Delivery, startMessenger } from '../../../../test/stand-ins/messenger.ts';
import { verifyWebhook } from '../../../platform/secrets/signature.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { call, context } = patchbay;
const { sql } = context;

/** A partner with a webhook, and an administrator of the project. */
async function scene(t: { after(cleanUp: () => Promise<void>): void }) {
  const partner = await createPartner(t, patchbay);
  const receiver = await startMessenger(t);
  const { body } = await call('PUT', '/api/partners/integrations/credentials/', {
    headers: partner.token,
    body: { webhook_url: receiver.url, webhook_events: ['message_created'] },
  });
  const { headers } = await signIn(context, partner);
  const ask = (method: string, path: string, body?: unknown) =>
    call(method, `/console/api/webhooks/${path}`, { headers, body });
  const [webhook] = (await ask('GET', '')).body.results;
  return { partner, receiver, secret: String(body.webhook_secret), headers, ask, uuid: String(webhook.uuid) };
}

const signed = ({ headers, raw }: Delivery, secret: string): boolean =>
  verifyWebhook(
    {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    },
    raw,
    secret,
    clock.now(),
  );

test('an event is in the log with its attempts, and a replay sends it again with its id', async (t) => {
  const { partner, receiver, ask, uuid } = await scene(t);
  await partner.client('ann');
  await partner.client('ann-2');
  await receiver.received(3);
  // An attempt is recorded after its answer.
  while ((await ask('GET', `${uuid}/events/?state=DELIVERED`)).body.results.length < 2);
  const [, delivery] = receiver.deliveries;
  const id = String(delivery?.headers['webhook-id']);
  const { body: page } = await ask('GET', `${uuid}/events/?event_type=message_created`);
  assert.deepEqual(
    page.results.map((event: { uuid: string; chat: { name: string } }) => event.chat.name).sort(),
    ['ann', 'ann-2'],
  );
  assert.equal((await ask('GET', `${uuid}/events/?event_type=session_updated`)).body.results.length, 0);
  assert.equal((await ask('GET', `${uuid}/events/?to=2000-01-01T00:00:00Z`)).body.results.length, 0);

  assert.equal((await ask('POST', `${uuid}/events/${id}/replay/`)).status, 204);
  const again = (await receiver.received(4))[3];
  assert.deepEqual([again?.headers['webhook-id'], again?.raw], [id, delivery?.raw]);
  const { body: details } = await ask('GET', `${uuid}/events/${id}/`);
  assert.equal(details.body, delivery?.raw);
  assert.equal(details.attempts.at(-1).status, 200);
});

test('the log is read page by page, with its filters', async (t) => {
  const { partner, receiver, ask, uuid } = await scene(t);
  for (const name of ['a', 'b', 'c']) await partner.client(name);
  await receiver.received(4);
  const first = (await ask('GET', `${uuid}/events/?limit=2`)).body;
  assert.equal(first.results.length, 2);
  const rest = (await ask('GET', `${uuid}/events/?limit=2&before=${first.next}`)).body;
  assert.deepEqual([rest.results.length, rest.next], [1, null]);
  const seen = [...first.results, ...rest.results].map((event: { uuid: string }) => event.uuid);
  assert.deepEqual(seen, [...seen].sort().reverse());
  assert.equal((await ask('GET', `${uuid}/events/?state=FAILED`)).body.results.length, 0);
  const wrong = await ask('GET', `${uuid}/events/?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`);
  assert.deepEqual([wrong.status, Object.keys(wrong.body)], [400, ['to']]);
});

test('a disabled endpoint is shown with its reason, and delivers its waiting events when it is enabled again', async (t) => {
  const { partner, receiver, ask, uuid } = await scene(t);
  receiver.behave(answerWith(500));
  await partner.client('ann');
  await receiver.received(2);
  await sql`
    update endpoints set disabled_at = ${clock.now()}, disabled_reason = 'It is gone.' where id = ${uuid}`;
  const [shown] = (await ask('GET', '')).body.results;
  assert.deepEqual([shown.disabled_reason, shown.waiting], ['It is gone.', 1]);
  receiver.behave(answerWith(200));
  // The chat is released with the attempt's result.
  while ((await sql`select from event_queues where endpoint_id = ${uuid} and lease is null`).length === 0);
  assert.equal((await ask('POST', `${uuid}/enable/`)).status, 204);
  const [, failed, delivered] = await receiver.received(3);
  assert.equal(delivered?.headers['webhook-id'], failed?.headers['webhook-id']);
  const [enabled] = (await ask('GET', '')).body.results;
  assert.deepEqual([enabled.disabled_at, enabled.disabled_reason], [null, null]);
});

test('a rotated secret is shown once, signs beside the old one for a day, and appears nowhere else', async (t) => {
  const { receiver, secret, ask, uuid } = await scene(t);
  const { body } = await ask('POST', `${uuid}/rotate-secret/`);
  assert.notEqual(body.secret, secret);
  const tried = await ask('POST', `${uuid}/test/`);
  assert.deepEqual(
    [tried.status, tried.body.status, tried.body.error, tried.body.answer],
    [200, 200, null, '{}'],
  );
  const sent = receiver.deliveries.at(-1);
  assert.ok(sent && signed(sent, secret) && signed(sent, body.secret));
  assert.equal(sent.body.event_type, 'confirmation');
  assert.ok(!JSON.stringify((await ask('GET', '')).body).includes('whsec_'));
  assert.equal((await ask('GET', `${uuid}/events/`)).body.results.length, 0);
});

test('a test reports why there was no answer', async (t) => {
  const { receiver, ask, uuid } = await scene(t);
  receiver.behave((_delivery, response) => response.destroy());
  const { body } = await ask('POST', `${uuid}/test/`);
  assert.deepEqual(
    [body.status, body.error],
    [null, 'The connection was closed before the answer was complete.'],
  );
});

test('the project’s own webhook follows the rules of the command, and its secret is shown when it is made', async (t) => {
  const { ask, receiver } = await scene(t);
  const put = (url: string, kinds: string[]) => ask('PUT', 'project/', { url, kinds });
  assert.deepEqual((await put('nonsense', ['MAILING_STATE'])).body, { url: ['Enter a valid URL.'] });
  assert.deepEqual((await put(receiver.url, ['X'])).body, { kinds: ['"X" is not a valid choice.'] });
  const made = await put(receiver.url, ['MAILING_STATE']);
  assert.match(made.body.secret, /^whsec_/);
  const changed = await put(receiver.url, ['MAILING_STATE', 'MAILING_REACTION']);
  assert.deepEqual([changed.status, changed.body], [200, { secret: null }]);
  const [own] = (await ask('GET', '')).body.results;
  assert.deepEqual([own.application, own.event_types], [null, ['mailing.state', 'mailing.reaction']]);
});

test('webhooks are the project’s own and for administrators', async (t) => {
  const mine = await scene(t);
  const theirs = await scene(t);
  await theirs.partner.client('ann');
  const [, delivery] = await theirs.receiver.received(2);
  const event = String(delivery?.headers['webhook-id']);
  const range = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };
  const calls: [string, string, unknown?][] = [
    ['POST', 'enable/'],
    ['POST', 'test/'],
    ['POST', 'rotate-secret/'],
    ['GET', 'events/'],
    ['GET', `events/${event}/`],
    ['POST', `events/${event}/replay/`],
    ['GET', `replay/?${new URLSearchParams(range)}`],
    ['POST', 'replay/', range],
  ];
  for (const [method, path, body] of calls) {
    for (const uuid of [theirs.uuid, randomUUID()]) {
      assert.equal((await mine.ask(method, `${uuid}/${path}`, body)).status, 404, path);
    }
    assert.notEqual((await theirs.ask(method, `${theirs.uuid}/${path}`, body)).status, 404, path);
  }
  const operator = await signIn(context, { projectId: mine.partner.projectId, role: 'operator' });
  assert.equal((await call('GET', '/console/api/webhooks/', { headers: operator.headers })).status, 403);
});
