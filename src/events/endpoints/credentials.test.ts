import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { heldTimeouts } from '../../../test/held-timeouts.ts';
import { seedApplication, seedProject } from '../../../test/seed.ts';
import { answerWith, startMessenger as startReceiver } from '../../../test/stand-ins/messenger.ts';
import { createGuards } from '../../access/auth/guards.ts';
import { issueToken } from '../../access/oauth/issue-token.ts';
import { createBotKey } from '../../access/projects/bot-keys.ts';
import { platforms } from '../../channels/contract/platforms.ts';
import { router } from '../../platform/http/router.ts';
import { createServer } from '../../platform/http/server.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { NotFound } from '../../platform/problem.ts';
import { recordEvents } from '../outbox.ts';
import { openSecrets, secretsInForce } from '../secrets.ts';
import { integrationEventTypes } from '../types.ts';
import { deleteCredentials } from './delete-credentials.ts';
import { putCredentials } from './put-credentials.ts';
import { rotateSecret } from './rotate-secret.ts';

const path = '/api/partners/integrations/credentials/';
const { sql } = await testDatabase({ after });
const clock = manualClock();
const context = testContext({ sql }, clock);
const address = await serve(context);

async function serve(served: typeof context): Promise<string> {
  const server = createServer({ log: context.log, publicUrl: context.config.publicUrl });
  const route = router(server, served);
  const { requireOAuth } = createGuards(served);
  route('PUT', path, requireOAuth, putCredentials);
  route('DELETE', path, requireOAuth, deleteCredentials);
  after(() => server.close());
  return server.listen({ port: 0, host: '127.0.0.1' });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
type Answer = { status: number; body: any };

async function call(method: string, headers: Record<string, string>, body?: unknown, base = address) {
  const response = await fetch(base + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  const answer: Answer = { status: response.status, body: text ? JSON.parse(text) : null };
  return answer;
}

async function integration(projectId?: string) {
  const project = projectId ?? (await seedProject(sql));
  const applicationId = await seedApplication(sql);
  const token = await issueToken(context, { projectId: project, applicationId });
  const headers = { authorization: `Bearer ${token.access_token}` };
  return {
    projectId: project,
    applicationId,
    put: (body: unknown, base?: string) => call('PUT', headers, body, base),
    remove: () => call('DELETE', headers),
    stored: async () => {
      const [row] = await sql`
        select * from endpoints where project_id = ${project} and application_id = ${applicationId}`;
      return row;
    },
  };
}

const unavailable = (body: { webhook_url?: string[] }) => {
  assert.deepEqual(Object.keys(body), ['webhook_url']);
  assert.equal(body.webhook_url?.length, 1);
  assert.match(body.webhook_url?.[0] ?? '', /unavailable/);
};

test('PUT probes the address, stores the settings and returns them with the secret', async (t) => {
  const receiver = await startReceiver(t);
  const partner = await integration();
  const { status, body } = await partner.put({
    webhook_url: receiver.url,
    webhook_events: ['message_created', 'stream.status'],
    webhook_platforms: ['Telegram', 'API_Messenger'],
    unknown: 1,
  });
  assert.equal(status, 200);
  const { webhook_secret, ...settings } = body;
  assert.deepEqual(settings, {
    webhook_url: receiver.url,
    webhook_events: ['message_created', 'stream.status'],
    webhook_platforms: ['Telegram', 'API_Messenger'],
  });
  assert.match(webhook_secret, /^whsec_[A-Za-z0-9+/]{43}=$/);

  const [probe] = receiver.deliveries;
  assert.equal(receiver.deliveries.length, 1);
  assert.deepEqual(probe?.body, {
    event_type: 'confirmation',
    payload: { type: 'confirmation' },
    timestamp: clock.now().getTime(),
  });
  const id = String(probe?.headers['webhook-id']);
  const expected = new Webhook(webhook_secret).sign(id, clock.now(), probe?.raw ?? '');
  assert.equal(probe?.headers['webhook-signature'], expected);
  assert.equal((await partner.stored())?.url, receiver.url);
});

test('absent or empty lists mean everything', async (t) => {
  const receiver = await startReceiver(t);
  const partner = await integration();
  for (const lists of [{}, { webhook_events: [], webhook_platforms: [] }]) {
    const { status } = await partner.put({ webhook_url: receiver.url, ...lists });
    assert.equal(status, 200);
    const stored = await partner.stored();
    assert.deepEqual([stored?.event_types, stored?.platforms], [[], []]);
  }
});

test('every kind and platform of the contract is accepted', async (t) => {
  const receiver = await startReceiver(t);
  const partner = await integration();
  const { status, body } = await partner.put({
    webhook_url: receiver.url,
    webhook_events: integrationEventTypes,
    webhook_platforms: platforms,
  });
  assert.deepEqual([status, body.webhook_events.length, body.webhook_platforms.length], [200, 6, 16]);
});

test('a second PUT replaces everything but the secret', async (t) => {
  const [old, fresh] = [await startReceiver(t), await startReceiver(t)];
  const partner = await integration();
  const lists = { webhook_events: ['message_created'], webhook_platforms: ['Max'] };
  const first = await partner.put({ webhook_url: old.url, ...lists });
  const { id } = (await partner.stored()) ?? {};
  const second = await partner.put({ webhook_url: fresh.url });
  assert.deepEqual(second.body, {
    webhook_url: fresh.url,
    webhook_events: [],
    webhook_platforms: [],
    webhook_secret: first.body.webhook_secret,
  });
  assert.equal((await partner.stored())?.id, id);
  assert.equal(old.deliveries.length, 1);
  const [probe] = fresh.deliveries;
  const signature = new Webhook(first.body.webhook_secret).sign(
    String(probe?.headers['webhook-id']),
    clock.now(),
    probe?.raw ?? '',
  );
  assert.equal(probe?.headers['webhook-signature'], signature);
});

test('PUT enables a disabled endpoint', async (t) => {
  const receiver = await startReceiver(t);
  const partner = await integration();
  await partner.put({ webhook_url: receiver.url });
  await sql`
    update endpoints set disabled_at = ${clock.now()}, disabled_reason = 'gone', failing_since = ${clock.now()}
    where application_id = ${partner.applicationId}`;
  await partner.put({ webhook_url: receiver.url });
  const stored = await partner.stored();
  assert.deepEqual([stored?.disabled_at, stored?.disabled_reason, stored?.failing_since], [null, null, null]);
});

for (const [what, behaviour] of Object.entries({
  'answers 201': answerWith(201),
  'answers 204': answerWith(204),
  'answers 302 to an address that answers 200': answerWith(302, { location: '/' }),
  'answers 500': answerWith(500),
  'closes the connection': (_: unknown, response: { destroy(): void }) => response.destroy(),
})) {
  test(`an address that ${what} is refused, and the old settings stay in force`, async (t) => {
    const [good, bad] = [await startReceiver(t), await startReceiver(t)];
    const partner = await integration();
    await partner.put({ webhook_url: good.url, webhook_events: ['message_updated'] });
    const before = await partner.stored();
    bad.behave(behaviour);
    const { status, body } = await partner.put({ webhook_url: bad.url });
    assert.equal(status, 400);
    unavailable(body);
    assert.deepEqual(await partner.stored(), before);
  });
}

test('no settings are stored for an integration whose first address is refused', async (t) => {
  const receiver = await startReceiver(t);
  receiver.behave(answerWith(404));
  const partner = await integration();
  assert.equal((await partner.put({ webhook_url: receiver.url })).status, 400);
  assert.equal(await partner.stored(), undefined);
});

test('the address has five seconds to answer', async (t) => {
  const timeouts = heldTimeouts(t);
  const receiver = await startReceiver(t);
  receiver.behave(() => timeouts.end());
  const { status } = await (await integration()).put({ webhook_url: receiver.url });
  assert.equal(status, 400);
  assert.ok(timeouts.asked.includes(5_000), String(timeouts.asked));
});

test('an address outside the public internet is refused as unavailable, however it is written', async (t) => {
  const receiver = await startReceiver(t);
  const port = new URL(receiver.url).port;
  const outbound = createOutbound({
    allow: [],
    log: context.log,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  t.after(() => outbound.close());
  const base = await serve({ ...context, outbound });
  const partner = await integration();
  const hosts = [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'inside.example',
  ];
  for (const host of hosts) {
    const { status, body } = await partner.put({ webhook_url: `http://${host}:${port}/` }, base);
    assert.equal(status, 400, host);
    unavailable(body);
  }
  assert.equal(receiver.deliveries.length, 0);
  assert.equal(await partner.stored(), undefined);
});

test('wrong fields are explained as in Django REST Framework, and no address is called', async (t) => {
  const receiver = await startReceiver(t);
  const partner = await integration();
  const url = receiver.url;
  const cases: [unknown, unknown][] = [
    [{}, { webhook_url: ['This field is required.'] }],
    [{ webhook_url: null }, { webhook_url: ['This field may not be null.'] }],
    [{ webhook_url: 'ftp://crm.example/' }, { webhook_url: ['Enter a valid URL.'] }],
    [
      { webhook_url: url, webhook_events: ['nope'] },
      { webhook_events: { 0: ['"nope" is not a valid choice.'] } },
    ],
    [
      { webhook_url: url, webhook_events: ['message_created', 'mailing.state'] },
      { webhook_events: { 1: ['"mailing.state" is not a valid choice.'] } },
    ],
    [
      { webhook_url: url, webhook_platforms: ['telegram'] },
      { webhook_platforms: { 0: ['"telegram" is not a valid choice.'] } },
    ],
    [
      { webhook_url: url, webhook_platforms: 'Telegram' },
      { webhook_platforms: ['Expected a list of items but got type "str".'] },
    ],
  ];
  for (const [body, expected] of cases) {
    assert.deepEqual(await partner.put(body), { status: 400, body: expected });
  }
  assert.equal(receiver.deliveries.length, 0);
});

test('a request with a bot key, or without credentials, is 403', async () => {
  const { key } = await createBotKey(context, { projectId: await seedProject(sql), name: 'bot' });
  for (const method of ['PUT', 'DELETE']) {
    assert.equal((await call(method, { 'bot-key': key }, {})).status, 403);
    assert.equal((await call(method, {}, {})).status, 403);
  }
});

test('concurrent PUTs leave the complete settings of one of them, and one secret', async (t) => {
  const receivers = await Promise.all(Array.from({ length: 6 }, () => startReceiver(t)));
  const partner = await integration();
  const answers = await Promise.all(
    receivers.map(({ url }, index) =>
      partner.put({
        webhook_url: url,
        webhook_events: [integrationEventTypes[index]],
        webhook_platforms: [platforms[index]],
      }),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(answers.map(({ body }) => body.webhook_secret)).size, 1);
  const stored = await partner.stored();
  const winner = receivers.findIndex(({ url }) => url === stored?.url);
  assert.deepEqual(
    [stored?.event_types, stored?.platforms],
    [[integrationEventTypes[winner]], [platforms[winner]]],
  );
});

test('DELETE removes the settings, the queues and the undelivered events, and leaves other integrations alone', async (t) => {
  const receiver = await startReceiver(t);
  const partner = await integration();
  const other = await integration(partner.projectId);
  await partner.put({ webhook_url: receiver.url });
  await other.put({ webhook_url: receiver.url });
  const event = {
    type: 'message_created' as const,
    projectId: partner.projectId,
    chatId: context.newId(),
    platform: 'Max',
    payload: {},
  };
  await recordEvents(sql, [event, { ...event, chatId: context.newId() }], clock.now(), context.newId);
  const { id } = (await partner.stored()) ?? {};
  assert.deepEqual(await partner.remove(), { status: 204, body: null });
  assert.equal(await partner.stored(), undefined);
  const left = await sql`
    select (select count(*) from events where endpoint_id = ${id}) as events,
      (select count(*) from event_queues where endpoint_id = ${id}) as queues,
      (select count(*) from event_queues where project_id = ${partner.projectId}) as others`;
  assert.deepEqual([...left], [{ events: 0, queues: 0, others: 2 }]);
  assert.equal((await other.stored())?.url, receiver.url);
});

test('DELETE is 204 without settings, and a PUT after it makes a new secret', async (t) => {
  const receiver = await startReceiver(t);
  const partner = await integration();
  assert.equal((await partner.remove()).status, 204);
  const first = await partner.put({ webhook_url: receiver.url });
  assert.equal((await partner.remove()).status, 204);
  assert.equal((await partner.remove()).status, 204);
  const second = await partner.put({ webhook_url: receiver.url });
  assert.notEqual(first.body.webhook_secret, second.body.webhook_secret);
});

test('a rotated secret is returned from then on, and the old one still signs', async (t) => {
  const receiver = await startReceiver(t);
  const partner = await integration();
  const { body } = await partner.put({ webhook_url: receiver.url });
  const stored = await partner.stored();
  const rotated = await rotateSecret(context, { projectId: partner.projectId, endpointId: stored?.id });
  assert.notEqual(rotated, body.webhook_secret);
  const again = await partner.put({ webhook_url: receiver.url });
  assert.equal(again.body.webhook_secret, rotated);
  const sealed = (await partner.stored())?.sealed_secrets;
  const secrets = openSecrets(context.vault, stored?.id, sealed);
  assert.deepEqual(secretsInForce(secrets, clock.now()), [rotated, body.webhook_secret]);
  const elsewhere = rotateSecret(context, { projectId: await seedProject(sql), endpointId: stored?.id });
  await assert.rejects(elsewhere, NotFound);
});

test('no secret is stored in clear', async (t) => {
  const receiver = await startReceiver(t);
  const partner = await integration();
  const { body } = await partner.put({ webhook_url: receiver.url });
  const [row] = await sql`select endpoints::text as text, sealed_secrets from endpoints
    where application_id = ${partner.applicationId}`;
  const key = Buffer.from(body.webhook_secret.slice('whsec_'.length), 'base64');
  assert.ok(!row?.text.includes(body.webhook_secret));
  assert.ok(!row?.sealed_secrets.includes(key) && !row?.sealed_secrets.includes(body.webhook_secret));
});
