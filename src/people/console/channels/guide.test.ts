import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { webhookSecret } from '../../../channels/messengers/telegram/settings.ts';
import { startGateway } from '../../../simulator/max-personal/provider.ts';
import { type BotCall, refusal, startTelegram } from '../../../simulator/telegram/provider.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });
const { call, context } = patchbay;
const telegram = await startTelegram({ after });
const { projectId } = await createPartner({ after }, patchbay);
const { headers } = await signIn(context, { projectId });

const bot = { ok: true, result: { id: 1, first_name: 'Tea', username: 'tea_bot' } };
const isMe = ({ method }: BotCall): boolean => method === 'getMe';
telegram.react((made) => (isMe(made) ? { status: 200, body: bot } : null));

const settings = { bot_token: '1:planted', api_root: telegram.root };
const ask = (method: string, path: string, body?: unknown) =>
  call(method, `/console/api/${path}`, { headers, body });
const check = async (given: object, platform = 'Telegram') =>
  (await ask('POST', 'messengers/check/', { platform, settings: given })).body;
const channels = async () => (await ask('GET', 'channels/')).body.results;

test('a right token is recognised while it is entered, by the name of its bot', async () => {
  const found = await check(settings);
  assert.deepEqual([found.is_accepted, found.refusal, found.facts[0].value], [true, null, 'Tea (@tea_bot)']);
  assert.ok(!JSON.stringify(found).includes('planted'));
});

test('a check stores nothing and registers nothing', async () => {
  const before = await channels();
  const from = telegram.calls.length;
  await check(settings);
  assert.deepEqual(await channels(), before);
  assert.deepEqual(
    telegram.calls.slice(from).map(({ method }) => method),
    ['getMe'],
  );
});

test('a wrong token is refused in the words of its provider, which never repeat it', async () => {
  telegram.react((made) => (isMe(made) ? refusal(401, 'Unauthorized: 1:planted') : null));
  const found = await check(settings);
  telegram.react((made) => (isMe(made) ? { status: 200, body: bot } : null));
  assert.deepEqual(found, {
    problems: {},
    is_accepted: false,
    facts: [],
    refusal: 'Telegram refused: Unauthorized: ***.',
  });
});

test('half a setting has its problem beside it, and its provider is not asked', async () => {
  const from = telegram.calls.length;
  const malformed = await check({ ...settings, bot_token: 'two words' });
  assert.deepEqual([Object.keys(malformed.problems), malformed.is_accepted], [['bot_token'], false]);
  assert.deepEqual(await check({ bot_token: '', api_root: '' }), {
    problems: {},
    is_accepted: false,
    facts: [],
    refusal: null,
  });
  const unknown = await check({ ...settings, nonsense: '1' });
  assert.deepEqual(Object.keys(unknown.problems), ['nonsense']);
  assert.equal(telegram.calls.length, from);
});

test('a check calls no address that the guard refuses', async () => {
  const found = await check({ webhook_url: 'http://169.254.169.254/latest/' }, 'API_Messenger');
  assert.deepEqual(Object.keys(found.problems), ['webhook_url']);
  const elsewhere = await check({ bot_token: '1:a', api_root: 'http://10.0.0.1/' });
  assert.deepEqual([Object.keys(elsewhere.problems), elsewhere.is_accepted], [['api_root'], false]);
});

test('a person causes no more than forty checks a minute', async () => {
  const other = await signIn(context, { projectId, name: 'Hasty' });
  const statuses: number[] = [];
  for (let made = 0; made < 41; made += 1) {
    const body = { platform: 'Widget', settings: {} };
    const { status } = await call('POST', '/console/api/messengers/check/', { headers: other.headers, body });
    statuses.push(status);
  }
  assert.deepEqual([statuses.at(39), statuses.at(40)], [200, 429]);
});

test('a new channel shows how to write to it, its first call, and its first message', async () => {
  const { uuid } = (await ask('POST', 'channels/', { platform: 'Telegram', name: 'Bot', settings })).body;
  const account = (await ask('GET', `channels/${uuid}/account/`)).body;
  assert.deepEqual([account.link, account.refusal, account.gives], ['https://t.me/tea_bot', null, {}]);
  const first = async () => (await ask('GET', `channels/${uuid}/first-message/`)).body;
  assert.deepEqual(await first(), { called_at: null, message: null });

  const update = {
    update_id: 1,
    message: {
      message_id: 5,
      date: 1,
      text: 'Good day',
      chat: { id: 7, type: 'private', first_name: 'Ann' },
      from: { id: 7, is_bot: false, first_name: 'Ann' },
    },
  };
  const path = `/channels/${uuid}/`;
  const forged = await call('POST', path, { body: update });
  assert.deepEqual([forged.status, (await first()).called_at], [403, null]);
  const secret = { 'x-telegram-bot-api-secret-token': webhookSecret(settings) };
  assert.equal((await call('POST', path, { headers: secret, body: update })).status, 200);
  const begun = await first();
  assert.equal(begun.called_at, clock.now().toISOString());
  assert.deepEqual([begun.message.text, begun.message.chat.name], ['Good day', 'Ann']);

  clock.advance(60_000);
  await call('POST', path, { headers: secret, body: { ...update, update_id: 2 } });
  assert.equal((await first()).called_at, begun.called_at);
});

test('a person is given what the provider needs, and no secret', async () => {
  const { body } = await ask('POST', 'channels/', { platform: 'Widget', name: 'Site', settings: {} });
  const account = (await ask('GET', `channels/${body.uuid}/account/`)).body;
  assert.deepEqual(Object.keys(account.gives), ['script_tag']);
  assert.match(account.gives.script_tag, new RegExp(`data-channel="${body.uuid}"`));
  assert.deepEqual([account.link, account.refusal], [null, null]);
});

test('a chat is opened by phone only where a text may be the first message', async () => {
  const gateway = await startGateway({ after }, { instance_id: '3100', api_token: 'token' });
  const known = { instance_id: '3100', api_token: 'token', api_root: gateway.root };
  const made = await ask('POST', 'channels/', { platform: 'Max_Personal', name: 'Phone', settings: known });
  const open = (uuid: string, phone_number: string) =>
    ask('POST', `channels/${uuid}/open-chat/`, { phone_number });
  const opened = await open(made.body.uuid, '+7 999 123-45-67');
  const again = await open(made.body.uuid, '79991234567');
  assert.deepEqual([opened.status, again.body], [200, opened.body]);
  const [chat] = await context.sql`
    select external_id, phone from chats where id = ${opened.body.chat.uuid} and channel_id = ${made.body.uuid}`;
  assert.deepEqual(chat, { external_id: '+79991234567', phone: '+79991234567' });
  assert.deepEqual(Object.keys((await open(made.body.uuid, 'me')).body), ['phone_number']);
  const bot = await ask('POST', 'channels/', { platform: 'Telegram', name: 'Other', settings });
  assert.equal((await open(bot.body.uuid, '+79991234567')).status, 400);
});
