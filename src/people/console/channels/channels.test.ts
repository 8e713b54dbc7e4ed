import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { answerWith } from '../../../../test/stand-ins/messenger.ts';
import { createUser } from '../../../access/operators/create-user.ts';
import { loadChannel } from '../../../channels/connected/channels.ts';
import { askStandings } from '../../../channels/connected/health.ts';
import { pauseRefusedChannel as pauseForCredentials } from '../../../channels/connected/store.ts';
import { refusal, startTelegram } from '../../../simulator/telegram/provider.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { call, context } = patchbay;
const { sql } = context;
const telegram = await startTelegram({ after });
const partner = await createPartner({ after }, patchbay);
const { headers } = await signIn(context, partner);

const ask = (method: string, path: string, body?: unknown) =>
  call(method, `/console/api/channels/${path}`, { headers, body });
const details = async (uuid: string) => (await ask('GET', `${uuid}/`)).body;
const push = (chat: string) =>
  call('POST', '/api/partners/push-messages/', {
    headers: partner.key,
    body: { chat: { uuid: chat }, content: { type: 'TEXT', text: 'Hello' } },
  });

const settings = { bot_token: '1:planted-token', api_root: telegram.root };
const addBot = (name = 'Bot') => ask('POST', '', { platform: 'Telegram', name, settings });

test('every messenger lists its settings, and which of them are secret', async () => {
  const { body } = await call('GET', '/console/api/messengers/', { headers });
  const bot = body.results.find(({ platform }: { platform: string }) => platform === 'Telegram');
  assert.deepEqual(
    bot.settings.map(({ name, type, secret, required }: Record<string, unknown>) => [
      name,
      type,
      secret,
      required,
    ]),
    [
      ['bot_token', 'text', true, true],
      ['mode', 'choice', false, false],
      ['api_root', 'address', false, false],
    ],
  );
});

test('a channel is added once its provider has our address, and its secrets are never shown', async () => {
  const { status, body } = await addBot();
  assert.equal(status, 201);
  const registered = telegram.calls.at(-1);
  assert.equal(registered?.parameters.url, `https://patchbay.test/channels/${body.uuid}/`);
  const shown = await details(body.uuid);
  assert.deepEqual([shown.settings, shown.secrets], [{ api_root: telegram.root }, ['bot_token']]);
  assert.deepEqual([shown.address, shown.rate, shown.rate_ceiling], [null, 30, 30]);
  assert.ok(!JSON.stringify(shown).includes('planted'));
});

test('an error is shown under its setting, and the provider’s refusal beside all of them', async () => {
  const missing = await ask('POST', '', { platform: 'Telegram', name: 'Bot', settings: { bot_token: '' } });
  assert.deepEqual(
    [missing.status, missing.body],
    [400, { settings: { bot_token: ['This field is required.'] } }],
  );
  telegram.react(() => refusal(401, 'Unauthorized'));
  const refused = await addBot();
  telegram.react(() => null);
  assert.deepEqual(
    [refused.status, refused.body],
    [400, { settings: { non_field_errors: ['Telegram refused: Unauthorized.'] } }],
  );
});

test('an edit keeps the secrets that are absent, and changes and removes the rest', async () => {
  const { body } = await addBot('Edited');
  const { uuid } = body;
  const stored = async () => (await loadChannel(context, uuid))?.settings;
  const given = { bot_token: '', api_root: telegram.root, mode: 'polling' };
  assert.equal((await ask('PATCH', `${uuid}/`, { name: 'Renamed', settings: given })).status, 204);
  assert.deepEqual(await stored(), { ...settings, mode: 'polling' });
  assert.equal((await details(uuid)).name, 'Renamed');
  await ask('PATCH', `${uuid}/`, { settings: { mode: '' } });
  assert.deepEqual(await stored(), settings);
  await ask('PATCH', `${uuid}/`, { settings: { bot_token: '2:planted-token' } });
  assert.deepEqual(await stored(), { ...settings, bot_token: '2:planted-token' });
  assert.equal(telegram.calls.at(-1)?.token, '2:planted-token');

  telegram.react(() => refusal(401, 'Unauthorized'));
  const refused = await ask('PATCH', `${uuid}/`, { settings: { bot_token: '3:planted-token' } });
  const check = await ask('POST', `${uuid}/check/`);
  telegram.react(() => null);
  assert.deepEqual([refused.status, check.status], [400, 400]);
  assert.equal((await stored())?.bot_token, '2:planted-token');
  assert.equal((await ask('POST', `${uuid}/check/`)).status, 204);
});

/** Holds back the answer to the next call of the provider, until `meanwhile` has ended. */
async function whileAsked<Result>(
  asking: () => Promise<Result>,
  meanwhile: () => Promise<unknown>,
  answer: ReturnType<typeof refusal> | null = null,
): Promise<Result> {
  const [called, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHeld = false;
  telegram.reactToCall(async () => {
    if (isHeld) return null;
    isHeld = true;
    called.resolve();
    await released.promise;
    return answer && { ...answer, body: JSON.stringify(answer.body) };
  });
  const asked = asking();
  await called.promise;
  await meanwhile();
  released.resolve();
  return await asked;
}

test('an administrator who is removed while a provider is asked adds and changes no channel', async () => {
  const { projectId } = partner;
  const account = { projectId, email: 'boss@shop.test', role: 'admin', password: 'correct horse' } as const;
  // The last administrator who can sign in could not be removed.
  await createUser(context, account);
  const { uuid } = (await addBot('Stays')).body;
  const patch = { name: 'Taken', settings: { bot_token: '4:planted-token' } };
  const add = { platform: 'Telegram', name: 'Late', settings };
  for (const [method, path, body] of [
    ['PATCH', `${uuid}/`, patch],
    ['POST', '', add],
  ] as const) {
    const { operatorId, headers: theirs } = await signIn(context, partner);
    const remove = () => call('DELETE', `/console/api/team/${operatorId}/`, { headers });
    const { status } = await whileAsked(
      () => call(method, `/console/api/channels/${path}`, { headers: theirs, body }),
      async () => assert.equal((await remove()).status, 204),
    );
    assert.equal(status, 403);
  }
  assert.deepEqual((await loadChannel(context, uuid))?.settings, settings);
  assert.equal((await details(uuid)).name, 'Stays');
  assert.equal((await sql`select from channels where name = 'Late'`).length, 0);
});

test('a change that is refused or late leaves what another person changed meanwhile', async () => {
  const late = { settings: { bot_token: '5:planted-token' } };
  for (const [answer, complaint] of [
    [refusal(401, 'Unauthorized'), /Telegram refused/],
    [null, /Somebody else changed the channel meanwhile/],
  ] as const) {
    const { uuid } = (await addBot('Shared')).body;
    const other = { name: 'Theirs', settings: { bot_token: '6:planted-token' } };
    const { status, body } = await whileAsked(
      () => ask('PATCH', `${uuid}/`, late),
      async () => assert.equal((await ask('PATCH', `${uuid}/`, other)).status, 204),
      answer,
    );
    assert.equal(status, 400);
    assert.match(JSON.stringify(body), complaint);
    assert.equal((await details(uuid)).name, 'Theirs');
    assert.equal((await loadChannel(context, uuid))?.settings.bot_token, '6:planted-token');
  }
});

test('a secret is not sent to another address: a new address needs the secret again', async () => {
  const { uuid } = (await addBot('Moved')).body;
  const elsewhere = `${telegram.root}/elsewhere`;
  const complaint = ['Enter it again: it would be used with another address.'];
  for (const given of [
    { api_root: elsewhere },
    { api_root: elsewhere, bot_token: '' },
    { api_root: '' },
    { api_root: null, mode: 'polling' },
  ]) {
    const before = telegram.calls.length;
    const { status, body } = await ask('PATCH', `${uuid}/`, { settings: given });
    assert.deepEqual([status, body], [400, { settings: { bot_token: complaint } }]);
    assert.equal(telegram.calls.length, before);
  }
  assert.deepEqual((await loadChannel(context, uuid))?.settings, settings);
  const known = { bot_token: '9:planted-token', api_root: elsewhere };
  assert.equal((await ask('PATCH', `${uuid}/`, { settings: known })).status, 204);
  assert.deepEqual((await loadChannel(context, uuid))?.settings, known);

  const url = `${partner.messenger.url}elsewhere`;
  const refused = await ask('PATCH', `${partner.channel.id}/`, { settings: { webhook_url: url } });
  assert.deepEqual(refused.body, { settings: { secret: complaint } });
});

test('a channel with an address that may not be called is refused at once, and on its setting', async () => {
  const complaint = {
    settings: { webhook_url: ['The host 169.254.169.254 is not on the public internet.'] },
  };
  const settings = { webhook_url: 'http://169.254.169.254/', secret: 's'.repeat(24) };
  const made = await ask('POST', '', { platform: 'API_Messenger', name: 'Inside', settings });
  assert.deepEqual([made.status, made.body], [400, complaint]);
  const changed = await ask('PATCH', `${partner.channel.id}/`, { settings });
  assert.deepEqual([changed.status, changed.body], [400, complaint]);
});

test('a manually paused channel keeps its messages until it is resumed', async () => {
  const { id: uuid } = partner.channel;
  const { chat } = await partner.client('paused');
  await ask('POST', `${uuid}/pause/`);
  const before = partner.messenger.deliveries.length;
  const { body } = await push(chat);
  const paused = await details(uuid);
  assert.deepEqual([paused.state, paused.paused_by, paused.waiting], ['paused', 'Olga', 1]);
  assert.equal(partner.messenger.deliveries.length, before);
  // A running call returns with refused credentials: a person has decided already.
  await pauseForCredentials(sql, uuid, 'Late.');
  assert.equal((await details(uuid)).state_detail, '');
  assert.deepEqual([paused.waiting_of_mailings, paused.waiting_since], [0, clock.now().toISOString()]);
  await ask('POST', `${uuid}/resume/`);
  const delivered = (await partner.messenger.received(before + 1)).at(-1);
  assert.ok(delivered?.raw.includes(body.uuid));
  const active = await details(uuid);
  assert.deepEqual([active.state, active.paused_by, active.state_detail], ['active', null, '']);
});

test('a channel with refused credentials shows that, and its failures are listed with their reasons', async () => {
  const { id: uuid } = partner.channel;
  const { chat } = await partner.client('refused');
  partner.messenger.behave(answerWith(401));
  const { body } = await push(chat);
  while ((await details(uuid)).state !== 'paused');
  partner.messenger.behave(answerWith(200));
  await ask('POST', `${uuid}/pause/`);
  const paused = await details(uuid);
  assert.equal(paused.paused_by, null);
  assert.equal(paused.state_detail, 'The receiver answered 401.');
  const failures = async () => (await ask('GET', `${uuid}/failures/`)).body.results;
  while ((await failures()).length === 0);
  const [failure] = await failures();
  assert.deepEqual([failure.uuid, failure.state, failure.chat.name], [body.uuid, 'ERROR', 'refused']);
  const { hours } = (await ask('GET', `${uuid}/deliveries/`)).body;
  const sum = (name: string) =>
    hours.reduce((all: number, hour: Record<string, number>) => all + (hour[name] ?? 0), 0);
  assert.deepEqual([hours.length, sum('error'), sum('sent')], [24, 1, 1]);
  await ask('POST', `${uuid}/resume/`);
  assert.equal((await details(uuid)).state_detail, '');
});

test('a channel shows its warnings in the list and on its page, until they have passed', async () => {
  const { uuid } = (await addBot('Watched')).body;
  const url = 'https://elsewhere.test/';
  telegram.react(({ method }) =>
    method === 'getWebhookInfo' ? { status: 200, body: { ok: true, result: { url } } } : null,
  );
  await askStandings(context);
  telegram.react(() => null);
  const warning = { kind: 'unregistered', detail: '', at: null, count: 0, of: 0 };
  assert.deepEqual((await details(uuid)).warnings, [warning]);
  const { results } = (await ask('GET', '')).body;
  const listed = results.find((channel: { uuid: string }) => channel.uuid === uuid);
  assert.deepEqual(listed.warnings, [warning]);
  assert.equal((await ask('POST', `${uuid}/check/`)).status, 204);
  assert.deepEqual((await details(uuid)).warnings, []);
});

test('only a channel without chats can be deleted', async () => {
  await partner.client('stays');
  const refused = await ask('DELETE', `${partner.channel.id}/`);
  assert.deepEqual(
    [refused.status, refused.body],
    [400, { detail: 'A channel with chats cannot be deleted. Pause it instead.' }],
  );
  const { body } = await addBot('Gone');
  const deletions = [1, 2, 3].map(() => ask('DELETE', `${body.uuid}/`));
  assert.deepEqual((await Promise.all(deletions)).map(({ status }) => status).sort(), [204, 404, 404]);
  assert.equal((await ask('GET', `${body.uuid}/`)).status, 404);
  const [left] = await sql`select 1 from channel_pace where channel_id = ${body.uuid}`;
  assert.equal(left, undefined);
});

test('another project’s channel is not found, and operators are refused', async () => {
  const theirs = await createPartner({ after }, patchbay);
  const calls: [string, string, unknown?][] = [
    ['GET', ''],
    ['PATCH', '', { name: 'Mine' }],
    ['DELETE', ''],
    ['POST', 'pause/'],
    ['POST', 'resume/'],
    ['POST', 'check/'],
    ['GET', 'deliveries/'],
    ['GET', 'failures/'],
  ];
  for (const [method, path, body] of calls) {
    for (const uuid of [theirs.channel.id, randomUUID()]) {
      assert.equal((await ask(method, `${uuid}/${path}`, body)).status, 404, `${method} ${path}`);
    }
  }
  const operator = await signIn(context, { ...partner, role: 'operator' });
  assert.equal((await call('GET', '/console/api/channels/', { headers: operator.headers })).status, 403);
});
