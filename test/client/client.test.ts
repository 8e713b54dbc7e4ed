import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  createClient,
  exchangeCode,
  PatchbayError,
  refreshTokens,
  verifyWebhook,
} from '../../client/index.js';
import { createApplication } from '../../src/access/oauth/applications.ts';
import { createCode } from '../../src/access/oauth/create-code.ts';
import { createPartner, startPatchbay } from '../harness.ts';
import { seedAdmin } from '../seed.ts';
import { startMessenger } from '../stand-ins/messenger.ts';

const patchbay = await startPatchbay({ after });
const partner = await createPartner({ after }, patchbay);
const baseUrl = `${patchbay.address}/`;
const client = createClient({ baseUrl, botKey: partner.botKey });

/** What the API refuses, as the client throws it. */
async function refusalOf(call: Promise<unknown>): Promise<PatchbayError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof PatchbayError);
  return error;
}

test('a push is sent, its answer arrives, and its webhook is verified', async (t) => {
  const receiver = await startMessenger(t);
  const integration = createClient({
    baseUrl,
    getToken: async () => partner.token.authorization?.slice('Bearer '.length) ?? '',
  });
  const { webhook_secret: secret } = await integration.setWebhook({ body: { webhook_url: receiver.url } });
  const ann = await partner.client('ann');
  const message = await client.createPushMessage({
    body: { chat: { uuid: ann.chat }, content: { type: 'TEXT', text: 'Hello, Ann' } },
  });
  assert.deepEqual(message.content, { type: 'TEXT', text: 'Hello, Ann' });
  const [arrived] = await partner.messenger.received(1);
  assert.equal(arrived?.body.payload.message.text, 'Hello, Ann');

  await patchbay.call('POST', `/channels/${partner.channel.id}/messages/`, {
    headers: { authorization: `Bearer ${partner.channel.secret}` },
    body: { chat: { external_id: 'ann' }, message: { external_id: 'second', type: 'text', text: 'Thanks' } },
  });
  for (let count = 1; ; count += 1) {
    const delivery = (await receiver.received(count))[count - 1];
    assert.ok(delivery);
    const { headers, raw } = delivery;
    const event = await verifyWebhook({ headers, body: raw, secret });
    if (event.event_type !== 'message_created' || event.payload.message.text !== 'Thanks') continue;
    assert.equal(event.payload.chat.uuid, ann.chat);
    const tampered = verifyWebhook({ headers, body: raw.replace('Thanks', 'Pay me'), secret });
    await assert.rejects(tampered, /no right signature/);
    const late = new Date(Number(headers['webhook-timestamp']) * 1000 + 301_000);
    await assert.rejects(verifyWebhook({ headers, body: raw, secret, now: late }), /five minutes/);
    break;
  }
  await integration.deleteWebhook();
});

test('a refusal is thrown with its status, its body and its request id', async () => {
  const missing = await refusalOf(client.readPushMessage({ params: { uuid: 'of nothing/at all' } }));
  assert.deepEqual([missing.status, missing.body], [404, { detail: 'Not found.' }]);
  assert.match(missing.requestId ?? '', /^[\da-f-]{36}$/);
  const empty = await refusalOf(client.createPromocodeGroup({ body: { name: '' } }));
  assert.deepEqual(empty.body, { name: ['This field may not be blank.'] });
  const stranger = await refusalOf(createClient({ baseUrl }).listProfiles());
  assert.equal(stranger.message, '401 Authentication credentials were not provided.');
});

test('all pages are fetched in order with the same filter', async () => {
  const group = await client.createPromocodeGroup({ body: { name: 'Spring' } });
  const made = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => client.createPromocode({ body: { code: `C${n}`, group: group.uuid } })),
  );
  const found: string[] = [];
  for await (const { code } of client.pages('listPromocodes', { query: { limit: 2 } })) found.push(code);
  assert.deepEqual(found.sort(), made.map(({ code }) => code).sort());
  assert.equal(await client.deletePromocodeGroup({ params: { uuid: group.uuid } }), undefined);
});

test('the same key creates one object', async () => {
  const body = { name: 'Once' };
  const options = { idempotencyKey: 'a key' };
  const [first, second] = [
    await client.createPromocodeGroup({ body }, options),
    await client.createPromocodeGroup({ body }, options),
  ];
  assert.equal(first.uuid, second.uuid);
});

test('a code is exchanged for tokens, and a refresh token for the next ones', async () => {
  const { context } = patchbay;
  const redirectUri = 'https://crm.test/callback';
  const { clientId, clientSecret } = await createApplication(context, {
    name: 'CRM',
    redirectUris: [redirectUri],
  });
  const { projectId } = partner;
  const approvedBy = await seedAdmin(context.sql, projectId);
  const grant = { projectId, applicationId: clientId, redirectUri, codeChallenge: null, approvedBy };
  const code = await createCode(context, grant);
  const application = { baseUrl, clientId, clientSecret };
  const first = await exchangeCode(application, { code, redirectUri });
  const { access_token: token } = await refreshTokens(application, first.refresh_token);
  const { count } = await createClient({ baseUrl, token }).listPushMessages();
  assert.equal(typeof count, 'number');
  const again = await refusalOf(exchangeCode(application, { code, redirectUri }));
  assert.equal(again.status, 400);
});
