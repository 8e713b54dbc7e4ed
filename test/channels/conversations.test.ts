import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addChannel } from '../../src/channels/connected/channels.ts';
import type { Platform } from '../../src/channels/contract/platforms.ts';
import { startHttpApi } from '../../src/simulator/http-api.ts';
import { startMax } from '../../src/simulator/max/provider.ts';
import { startGateway } from '../../src/simulator/max-personal/provider.ts';
import { startOk } from '../../src/simulator/odnoklassniki/provider.ts';
import { createPartner, startPatchbay } from '../harness.ts';

const patchbay = await startPatchbay({ after });
const { context, call } = patchbay;
const { sql } = context;
const { projectId, key } = await createPartner({ after }, patchbay);
const files = await startHttpApi({ after }, () => ({ status: 200, body: 'Hello, file!' }));

async function connect(platform: Platform, settings: Record<string, string>) {
  const channel = await addChannel(context, { projectId, platform, name: platform, settings });
  return { ...channel, path: new URL(channel.webhookUrl).pathname };
}

/** What a question to the database gives, once it gives something. */
async function found<T>(ask: () => Promise<T[]>): Promise<T> {
  for (;;) {
    const [row] = await ask();
    if (row !== undefined) return row;
  }
}

const chatOf = (channelId: string, externalId: string) =>
  found(
    () => sql<{ id: string }[]>`
      select id from chats where channel_id = ${channelId} and external_id = ${externalId} and heard_id is not null`,
  );

const reaches = (id: string, state: string) =>
  found(() => sql`select id from messages where id = ${id} and state = ${state}`);

async function answer(chat: string, text: string): Promise<string> {
  const { status, body } = await call('POST', '/api/partners/push-messages/', {
    headers: key,
    body: { chat: { uuid: chat }, content: { type: 'TEXT', text } },
  });
  assert.equal(status, 201);
  await reaches(body.uuid, 'SENT');
  return body.uuid;
}

async function fileOf(channelId: string, externalId: string): Promise<unknown> {
  const { url } = await found(
    () => sql<{ url: string }[]>`
      select content ->> 'url' as url from messages
      where channel_id = ${channelId} and external_id = ${externalId}`,
  );
  const path = new URL(url).pathname;
  let served = await call('GET', path);
  while (served.status !== 200) served = await call('GET', path);
  return served.body;
}

test('Max: the bot is registered, a client writes, and the answer reaches them', async (t) => {
  const bot = await startMax(t, { access_token: 'f9LHod-token' });
  const channel = await connect('Max', { access_token: 'f9LHod-token', api_root: bot.root });
  const secret = bot.subscriptions[0]?.secret ?? assert.fail();
  assert.equal(bot.subscriptions[0]?.url, channel.webhookUrl);
  const payload = { url: `${files.root}/a`, token: 't' };
  const message = {
    sender: { user_id: 777, first_name: 'Anna', is_bot: false },
    recipient: { chat_id: 5, chat_type: 'dialog' },
    body: { mid: 'mid.in', text: 'Look', attachments: [{ type: 'file', filename: 'a.txt', payload }] },
  };
  const update = { update_type: 'message_created', timestamp: 1, message };
  const post = (shown: string) =>
    call('POST', channel.path, { headers: { 'x-max-bot-api-secret': shown }, body: update });
  assert.equal((await post('another')).status, 403);
  assert.equal((await post(secret)).status, 200);
  assert.equal((await post(secret)).status, 200);
  const { id } = await chatOf(channel.id, '777');
  assert.equal(await fileOf(channel.id, 'mid.in'), 'Hello, file!');
  await answer(id, 'On its way.');
  assert.partialDeepStrictEqual(bot.sent, [{ user_id: '777', body: { text: 'On its way.' } }]);
  const rows = await sql`select id from messages where channel_id = ${channel.id} and direction = 'in'`;
  assert.equal(rows.length, 1);
});

test('Max: a client who stopped the bot gets nothing, and starts it again with its button', async (t) => {
  const bot = await startMax(t, { access_token: 'f9LHod-again' });
  const channel = await connect('Max', { access_token: 'f9LHod-again', api_root: bot.root });
  const user = { user_id: 4712, first_name: 'Bob', is_bot: false };
  const headers = { 'x-max-bot-api-secret': bot.subscriptions[0]?.secret ?? '' };
  const happen = async (update_type: string, timestamp: number) => {
    const body = { update_type, timestamp, chat_id: 2, user };
    assert.equal((await call('POST', channel.path, { headers, body })).status, 200);
  };
  await happen('bot_started', 1);
  const { id } = await chatOf(channel.id, '4712');
  await happen('bot_stopped', 2);
  const body = { chat: { uuid: id }, content: { type: 'TEXT', text: 'News' } };
  const refused = await call('POST', '/api/partners/push-messages/', { headers: key, body });
  await reaches(refused.body.uuid, 'UNDELIVERED');
  await happen('bot_started', 3);
  await answer(id, 'Welcome back');
  assert.deepEqual(
    bot.sent.map((sent) => sent.body.text),
    ['Welcome back'],
  );
});

test('Odnoklassniki: the address is secret, a client presses a button, and the answer reaches them', async (t) => {
  const ok = await startOk(t, { access_token: 'tkn1:SECRET' });
  const channel = await connect('Odnoklassniki', { access_token: 'tkn1:SECRET', api_root: ok.root });
  assert.deepEqual(ok.subscriptions, [channel.webhookUrl]);
  const body = {
    webhookType: 'MESSAGE_CALLBACK',
    sender: { user_id: 'user:1', name: 'Anna' },
    recipient: { chat_id: 'chat:C3' },
    callbackId: 'c1',
    payload: 'да "1"',
    timestamp: 5,
  };
  assert.equal((await call('POST', `/channels/${channel.id}/`, { body })).status, 404);
  assert.equal((await call('POST', `/channels/${channel.id}/another/`, { body })).status, 404);
  assert.equal((await call('POST', channel.path, { body })).status, 200);
  const { id } = await chatOf(channel.id, 'chat:C3');
  await answer(id, 'Thank you.');
  assert.partialDeepStrictEqual(ok.sent, [{ chat_id: 'chat:C3', message: { text: 'Thank you.' } }]);
});

test('Max_Personal: a client writes, the answer reaches them, and its receipts are heard', async (t) => {
  const instance = { instance_id: '3100000001', api_token: 'token' };
  const gateway = await startGateway(t, instance);
  gateway.accounts.set(79991112233, '10000000');
  const channel = await connect('Max_Personal', { ...instance, api_root: gateway.root });
  const { webhookUrl, webhookUrlToken } = gateway.settings;
  assert.equal(webhookUrl, channel.webhookUrl);
  const headers = { authorization: `Bearer ${webhookUrlToken}` };
  const notify = (body: object) => call('POST', channel.path, { headers, body });
  const said = { typeMessage: 'textMessage', textMessageData: { textMessage: 'Hi' } };
  await notify({
    typeWebhook: 'incomingMessageReceived',
    idMessage: '1',
    senderData: { chatId: '10000000', senderPhoneNumber: 79991112233 },
    messageData: said,
  });
  const { id } = await chatOf(channel.id, '+79991112233');
  const uuid = await answer(id, 'Hello, Anna.');
  assert.partialDeepStrictEqual(gateway.sent, [{ body: { chatId: '10000000', message: 'Hello, Anna.' } }]);
  const status = { typeWebhook: 'outgoingMessageStatus', idMessage: gateway.sent[0]?.idMessage };
  await notify({ ...status, status: 'delivered' });
  await reaches(uuid, 'DELIVERED');
  await notify({ ...status, status: 'read' });
  await reaches(uuid, 'READ');
});

test('a wrong credential leaves no channel behind', async (t) => {
  const bot = await startMax(t, { access_token: 'right' });
  const gateway = await startGateway(t, { instance_id: '31', api_token: 'right' });
  const count = async () => (await sql`select id from channels where project_id = ${projectId}`).length;
  const before = await count();
  await assert.rejects(connect('Max', { access_token: 'wrong', api_root: bot.root }));
  await assert.rejects(
    connect('Max_Personal', { instance_id: '31', api_token: 'wrong', api_root: gateway.root }),
  );
  assert.equal(await count(), before);
});
