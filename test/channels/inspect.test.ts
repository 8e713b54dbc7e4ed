import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Account, Client } from '../../src/channels/contract/adapter.ts';
import { CredentialsRefused } from '../../src/channels/contract/failure.ts';
import type { Platform } from '../../src/channels/contract/platforms.ts';
import { adapterFor } from '../../src/channels/registry.ts';
import { type ApiAnswer, type ApiCall, startHttpApi } from '../../src/simulator/http-api.ts';
import { clientOver } from '../adapter.ts';
import { testOutbound } from '../outbound.ts';

const address = 'https://patchbay.test/channels/1/';
const now = new Date('2026-06-01T12:00:00Z');

type Scene = {
  settings: Record<string, unknown>;
  /** The answers by method and path. */
  answers: Record<string, unknown>;
  account: { values: string[]; link?: string };
  /** The answer that names our address, by method and path, and the answer that names another. Absent: not said. */
  registered?: [call: string, ours: unknown, other: unknown];
  /** The refusal of wrong credentials. */
  refusal: ApiAnswer;
};

const listed = (url: string) => ({ subscriptions: [{ url }] });
const elsewhere = 'https://elsewhere.test/';
const graphRefusal: ApiAnswer = {
  status: 401,
  body: { error: { code: 190, message: 'Invalid OAuth access token.' } },
};

const scenes: { [P in Platform]?: Scene } = {
  Telegram: {
    settings: { bot_token: '1:token' },
    answers: {
      'POST /bot1:token/getMe': { ok: true, result: { id: 1, first_name: 'Tea', username: 'tea_bot' } },
    },
    account: { values: ['Tea (@tea_bot)'], link: 'https://t.me/tea_bot' },
    registered: [
      'POST /bot1:token/getWebhookInfo',
      { ok: true, result: { url: address } },
      { ok: true, result: { url: '' } },
    ],
    refusal: { status: 401, body: { ok: false, error_code: 401, description: 'Unauthorized' } },
  },
  Facebook: {
    settings: { page_access_token: 't', app_secret: 's', verify_token: 'v' },
    answers: { 'GET /v25.0/me': { id: '77', name: 'Tea Shop' } },
    account: { values: ['Tea Shop'], link: 'https://m.me/77' },
    registered: ['GET /v25.0/me/subscribed_apps', { data: [{ id: '1' }] }, { data: [] }],
    refusal: graphRefusal,
  },
  Instagram: {
    settings: { access_token: 't', app_secret: 's', verify_token: 'v' },
    answers: { 'GET /v25.0/me': { user_id: '77', username: 'tea_shop' } },
    account: { values: ['@tea_shop'], link: 'https://ig.me/m/tea_shop' },
    registered: ['GET /v25.0/me/subscribed_apps', { data: [{ id: '1' }] }, { data: [] }],
    refusal: graphRefusal,
  },
  Whatsapp: {
    settings: { phone_number_id: '11', waba_id: '22', access_token: 't', app_secret: 's', verify_token: 'v' },
    answers: {
      'GET /v25.0/11': { display_phone_number: '+1 555-010-2030', verified_name: 'Tea' },
      'GET /v25.0/22': { name: 'Tea Ltd' },
    },
    account: { values: ['+1 555-010-2030 (Tea)', 'Tea Ltd'], link: 'https://wa.me/15550102030' },
    registered: ['GET /v25.0/22/subscribed_apps', { data: [{}] }, { data: [] }],
    refusal: graphRefusal,
  },
  Viber: {
    settings: { auth_token: 't', sender_name: 'Tea' },
    answers: { 'POST /pa/get_account_info': { status: 0, name: 'Tea', uri: 'teashop' } },
    account: { values: ['Tea'], link: 'viber://pa?chatURI=teashop' },
    registered: [
      'POST /pa/get_account_info',
      { status: 0, webhook: address },
      { status: 0, webhook: elsewhere },
    ],
    refusal: { status: 200, body: { status: 2, status_message: 'invalidAuthToken' } },
  },
  Vkontakte: {
    settings: { access_token: 't', group_id: '77', secret: 's' },
    answers: {
      'POST /method/groups.getById': {
        response: { groups: [{ id: 77, name: 'Tea', screen_name: 'teashop' }] },
      },
    },
    account: { values: ['Tea'], link: 'https://vk.me/teashop' },
    registered: [
      'POST /method/groups.getCallbackServers',
      { response: { count: 1, items: [{ url: address, status: 'ok' }] } },
      { response: { count: 1, items: [{ url: address, status: 'failed' }] } },
    ],
    refusal: { status: 200, body: { error: { error_code: 5, error_msg: 'User authorization failed' } } },
  },
  Odnoklassniki: {
    settings: { access_token: 't' },
    answers: { 'GET /graph/me/info': { name: 'Tea', group_id: 'group:77' } },
    account: { values: ['Tea'], link: 'https://ok.ru/group/77/messages' },
    registered: ['GET /graph/me/subscriptions', listed(address), listed(elsewhere)],
    refusal: { status: 200, body: { error_code: 102, error_msg: 'PARAM_SESSION_EXPIRED' } },
  },
  Avito: {
    settings: { client_id: 'c', client_secret: 's', user_id: '77' },
    answers: {
      'GET /core/v1/accounts/self': { id: 77, name: 'Tea' },
      'GET /messenger/v2/accounts/77/chats': { chats: [] },
    },
    account: { values: ['Tea'] },
    registered: ['POST /messenger/v1/subscriptions', listed(address), listed(elsewhere)],
    refusal: { status: 403, body: { error: { code: 403, message: 'permission denied' } } },
  },
  Ozon: {
    settings: { client_id: '1', api_key: 'k' },
    answers: { 'POST /v3/chat/list': { chats: [] }, 'POST /v1/roles': { roles: [] } },
    account: { values: [] },
    refusal: { status: 403, body: { code: 7, message: 'Invalid Api-Key' } },
  },
  Max: {
    settings: { access_token: 't', secret: 'secret' },
    answers: { 'GET /me': { user_id: 1, name: 'Tea', username: 'tea_bot' } },
    account: { values: ['Tea'], link: 'https://max.ru/tea_bot' },
    registered: ['GET /subscriptions', listed(address), listed(elsewhere)],
    refusal: { status: 401, body: { code: 'verify.token', message: 'Invalid access_token' } },
  },
  Max_Personal: {
    settings: { instance_id: '77', api_token: 't' },
    answers: { 'GET /v3/waInstance77/getStateInstance/t': { stateInstance: 'authorized' } },
    account: { values: ['authorized'] },
    registered: ['GET /v3/waInstance77/getSettings/t', { webhookUrl: address }, { webhookUrl: '' }],
    refusal: { status: 401, body: '' },
  },
};

const client: Client = clientOver(testOutbound({ after }));

/** The provider, whose answers a test changes. */
async function start({ settings, answers }: Scene) {
  const known = new Map(Object.entries(answers));
  const api = await startHttpApi({ after }, ({ method, path }: ApiCall) => {
    const body = known.get(`${method} ${path}`);
    return body === undefined ? { status: 404, body: {} } : { status: 200, body };
  });
  return { api, known, settings: { ...settings, api_root: api.root } };
}

for (const [platform, scene] of Object.entries(scenes)) {
  const adapter = adapterFor(platform as Platform);
  assert.ok(adapter);
  const { check, standing } = adapter;
  assert.ok(check && standing, platform);

  test(`${platform}: a check names the account and changes nothing`, async () => {
    const { api, settings } = await start(scene);
    const needed = Object.fromEntries(
      Object.entries(settings).filter(([name]) => name === 'api_root' || check.needs.includes(name)),
    );
    const account: Account = await check.ask(needed, client);
    assert.deepEqual(
      { values: account.facts.map(({ value }) => value), link: account.link },
      { link: undefined, ...scene.account },
    );
    const changing = /subscribe$|subscribed_apps|setWebhook|set_webhook|setSettings|addCallback/;
    assert.deepEqual(
      api.calls.filter(({ method, path }) => method === 'POST' && changing.test(path)),
      [],
    );
  });

  test(`${platform}: a check of wrong credentials fails with the provider’s words, without the credentials`, async () => {
    const { api, settings } = await start(scene);
    api.react(() => scene.refusal);
    await assert.rejects(check.ask(settings, client), /refused/);
  });

  test(`${platform}: its standing shows refused credentials, and no answer is no news`, async () => {
    const { api, settings } = await start(scene);
    api.react(() => scene.refusal);
    await assert.rejects(standing(settings, address, client, now), CredentialsRefused);
    api.react(() => ({ status: 502, body: '<html>' }));
    const failure = await standing(settings, address, client, now).catch((error: Error) => error);
    assert.ok(failure instanceof Error && !(failure instanceof CredentialsRefused));
  });

  test(`${platform}: its standing tells whether our address is registered, if the provider does`, async () => {
    const { known, settings } = await start(scene);
    const told = async () => (await standing(settings, address, client, now)).isRegistered;
    if (!scene.registered) return assert.equal(await told(), null);
    const [call, ours, other] = scene.registered;
    known.set(call, ours);
    assert.equal(await told(), true);
    known.set(call, other);
    assert.equal(await told(), false);
    known.set(call, {});
  });

  test(`${platform}: no POST of its check and its standing lacks a body`, async () => {
    const { api, known, settings } = await start(scene);
    if (scene.registered) known.set(scene.registered[0], scene.registered[1]);
    await check.ask(settings, client);
    await standing(settings, address, client, now);
    const posts = api.calls.filter(({ method }) => method === 'POST');
    assert.deepEqual(
      posts.filter(({ body }) => body.length === 0).map(({ path }) => path),
      [],
    );
  });
}

for (const code of [131005, 131031, 133010]) {
  test(`Whatsapp: ${code} shows refused credentials, in a check and in the standing`, async () => {
    const { check, standing } = adapterFor('Whatsapp') ?? {};
    assert.ok(scenes.Whatsapp && check && standing);
    const { api, settings } = await start(scenes.Whatsapp);
    api.react(() => ({ status: 400, body: { error: { code, message: 'The account is locked.' } } }));
    await assert.rejects(check.ask(settings, client), CredentialsRefused);
    await assert.rejects(standing(settings, address, client, now), CredentialsRefused);
  });
}

test('the end of a key of Ozon is known', async () => {
  const scene = scenes.Ozon;
  const standing = adapterFor('Ozon')?.standing;
  assert.ok(scene && standing);
  const { known, settings } = await start(scene);
  known.set('POST /v1/roles', { expires_at: '2026-06-10T00:00:00Z', roles: [] });
  assert.deepEqual(
    (await standing(settings, address, client, now)).lapsesAt,
    new Date('2026-06-10T00:00:00Z'),
  );
});

test('Telegram’s trouble with our address is shown for a day', async () => {
  const standing = adapterFor('Telegram')?.standing;
  assert.ok(scenes.Telegram && standing);
  const { known, settings } = await start(scenes.Telegram);
  const trouble = async (agoMs: number) => {
    const last_error_date = (now.getTime() - agoMs) / 1000;
    const result = { url: address, last_error_date, last_error_message: 'Connection timed out' };
    known.set('POST /bot1:token/getWebhookInfo', { ok: true, result });
    return (await standing(settings, address, client, now)).trouble;
  };
  assert.equal(await trouble(3_600_000), 'Connection timed out');
  assert.equal(await trouble(25 * 3_600_000), undefined);
});
