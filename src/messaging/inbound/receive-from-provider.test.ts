import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { createProject } from '../../access/projects/projects.ts';
import { addChannel } from '../../channels/connected/channels.ts';
import { webhookSecret } from '../../channels/messengers/telegram/settings.ts';
import { anyone } from '../../platform/http/guard.ts';
import { router } from '../../platform/http/router.ts';
import { createServer } from '../../platform/http/server.ts';
import { startTelegram } from '../../simulator/telegram/provider.ts';
import { startReceiving } from '../chats/receiving.ts';
import { queueMessages } from '../messages/queue-store.ts';
import { createGuesses } from './guesses.ts';
import { receiveFromProvider } from './receive-from-provider.ts';

const database = await testDatabase({ after });
const { sql } = database;
const clock = manualClock();
const context = testContext(database, clock);
context.config.trustedProxies = [ipaddr.parseCIDR('127.0.0.0/8')];
const telegramApi = await startTelegram({ after });

const server = createServer({ log: context.log, publicUrl: context.config.publicUrl });
const route = router(server, context);
const receive = receiveFromProvider(createGuesses(), startReceiving(context));
route('POST', '/channels/:uuid/', anyone, receive);
route('POST', '/channels/:uuid/:first/', anyone, receive);
const address = await server.listen({ port: 0, host: '127.0.0.1' });
after(() => server.close());

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
type Answer = { status: number; body: any };

async function post(path: string, headers: Record<string, string>, body: unknown): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: isRaw ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

async function apiChannel(name: string) {
  const secret = `${name} of a messenger of 24`;
  const { id: projectId } = await createProject(context, { name: 'Shop' });
  const settings = { webhook_url: 'http://127.0.0.1:9/', secret };
  const channel = await addChannel(context, { projectId, platform: 'API_Messenger', name: 'Own', settings });
  const call = (path: string, body: unknown, shown = secret) =>
    post(`/channels/${channel.id}/${path}`, { authorization: `Bearer ${shown}` }, body);
  return { channel, call };
}

async function telegramChannel(bot_token: string) {
  const { id: projectId } = await createProject(context, { name: 'Shop' });
  const settings = { bot_token, api_root: telegramApi.root };
  const channel = await addChannel(context, { projectId, platform: 'Telegram', name: 'Bot', settings });
  const secret = webhookSecret({ bot_token });
  const call = (body: unknown, shown = secret) =>
    post(`/channels/${channel.id}/`, { 'x-telegram-bot-api-secret-token': shown }, body);
  return { channel, call };
}

const text = (external_id: string, chat = 'client-7') => ({
  chat: { external_id: chat, name: 'Ann' },
  message: { external_id, type: 'text', text: 'Hello' },
});

async function stored(channelId: string) {
  const rows = await sql<{ id: string; content: { text: string } }[]>`
    select id, content from messages where channel_id = ${channelId} and direction = 'in' order by id`;
  return [...rows];
}

test('a message is stored before the answer, and the answer has its ids', async () => {
  const { channel, call } = await apiChannel('s3cret');
  const { status, body } = await call('messages/', text('m-1'));
  assert.equal(status, 200);
  const [message] = await stored(channel.id);
  const [chat] = await sql`select id, profile_id, name from chats where channel_id = ${channel.id}`;
  assert.equal(message?.content.text, 'Hello');
  assert.equal(chat?.name, 'Ann');
  assert.deepEqual(body, { chat_uuid: chat?.id, profile_uuid: chat?.profile_id, message_uuid: message?.id });
});

test('a repeated message, also twenty times concurrently, is one message with one answer', async () => {
  const { channel, call } = await apiChannel('s3cret');
  const first = await call('messages', text('m-1'));
  const again = await Promise.all(Array.from({ length: 20 }, () => call('messages/', text('m-1'))));
  for (const answer of again) assert.deepEqual(answer, first);
  assert.equal((await stored(channel.id)).length, 1);
});

test('the secret is checked first, and another channel’s secret is wrong', async () => {
  const { channel, call } = await apiChannel('s3cret');
  const other = await apiChannel('other-secret');
  await other.call('messages/', text('m-1'));
  const refused = { status: 403, body: { detail: 'Incorrect authentication credentials.' } };
  for (const secret of ['wrong', 'other-secret', 's3cret2', '']) {
    for (const path of ['messages/', 'receipts/', 'stopped/']) {
      assert.deepEqual(await call(path, 'no json', secret), refused);
    }
  }
  assert.deepEqual(await post(`/channels/${channel.id}/messages/`, {}, text('m-1')), refused);
  assert.deepEqual(await stored(channel.id), []);
});

test('an unknown channel answers like an unknown path', async () => {
  const { call } = await apiChannel('s3cret');
  const nothing = { status: 404, body: { detail: 'Not found.' } };
  const bearer = { authorization: 'Bearer s3cret' };
  for (const id of ['01990000-0000-7000-8000-000000000000', 'no-uuid', '%00', 'x'.repeat(500)]) {
    assert.deepEqual(await post(`/channels/${id}/messages/`, bearer, text('m-1')), nothing);
  }
  assert.deepEqual(await call('unknown/', text('m-1')), nothing);
  assert.deepEqual(await call('', text('m-1')), nothing);
});

test('a channel without inbound requests has no address', async () => {
  const { id: projectId } = await createProject(context, { name: 'Shop' });
  const widget = await addChannel(context, { projectId, platform: 'Widget', name: 'Site', settings: {} });
  assert.equal((await post(`/channels/${widget.id}/`, {}, {})).status, 404);
});

test('a paused channel still receives', async () => {
  const { channel, call } = await apiChannel('s3cret');
  await sql`update channels set state = 'paused' where id = ${channel.id}`;
  assert.equal((await call('messages/', text('m-1'))).status, 200);
  assert.equal((await stored(channel.id)).length, 1);
});

test("wrong fields are answered in the channel's own format, and nothing is stored", async () => {
  const { channel, call } = await apiChannel('s3cret');
  const { status, body } = await call('messages/', { chat: { external_id: 'a\0b' }, message: {} });
  assert.equal(status, 400);
  assert.deepEqual(body, { chat: { external_id: ['Null characters are not allowed.'] } });
  assert.deepEqual((await call('messages/', {})).body, {
    chat: ['This field is required.'],
    message: ['This field is required.'],
  });
  assert.deepEqual(await stored(channel.id), []);
});

test('receipts move a message forwards only, and only those of its own channel', async () => {
  const { channel, call } = await apiChannel('s3cret');
  const other = await apiChannel('other-secret');
  const chat = (await call('messages/', text('m-1'))).body;
  const uuid = await sentMessage(channel, chat.chat_uuid);
  const state = async () => (await sql`select state from messages where id = ${uuid}`)[0]?.state;
  const receipt = (state: string) => ({ message: { uuid }, state });

  assert.deepEqual(await other.call('receipts/', receipt('read')), { status: 200, body: {} });
  assert.equal(await state(), 'SENT');
  for (const [told, expected] of [
    ['delivered', 'DELIVERED'],
    ['read', 'READ'],
    ['delivered', 'READ'],
    ['undelivered', 'READ'],
  ] as const) {
    assert.equal((await call('receipts/', receipt(told))).status, 200);
    assert.equal(await state(), expected);
  }
});

async function sentMessage(channel: { projectId: string; id: string }, chatId: string): Promise<string> {
  const id = context.newId();
  const now = context.clock.now();
  await queueMessages(sql, [
    {
      id,
      project_id: channel.projectId,
      chat_id: chatId,
      channel_id: channel.id,
      source: 'push',
      content_type: 'TEXT',
      content: { text: 'Ready' },
      is_force: false,
      created_at: now,
      lane: 0,
      due_at: now,
      state: 'PENDING',
    },
  ]);
  await sql`update messages set state = 'IN_PROCESS' where id = ${id}`;
  await sql`update messages set state = 'SENT' where id = ${id}`;
  return id;
}

test('a client who stops gets nothing until they write again', async () => {
  const { channel, call } = await apiChannel('s3cret');
  const stoppedAt = async () =>
    (await sql`select stopped_at from chats where channel_id = ${channel.id}`)[0]?.stopped_at;
  await call('messages/', text('m-1'));
  assert.deepEqual(await call('stopped/', { chat: { external_id: 'client-7' } }), { status: 200, body: {} });
  assert.deepEqual(await stoppedAt(), context.clock.now());
  assert.equal((await call('stopped/', { chat: { external_id: 'nobody' } })).status, 200);
  await call('messages/', text('m-2'));
  assert.equal(await stoppedAt(), null);
});

const update = (update_id: number, message_id: number) => ({
  update_id,
  message: { message_id, chat: { id: 777, type: 'private', first_name: 'Ann' }, date: 1, text: 'Hello' },
});

test('an update of Telegram is one message, however often and under whichever update id it comes', async () => {
  const { channel, call } = await telegramChannel('111:one');
  for (const body of [update(5, 1), update(5, 1), update(900, 1)]) {
    assert.deepEqual(await call(body), { status: 200, body: {} });
  }
  assert.equal((await stored(channel.id)).length, 1);
  await call(update(6, 2));
  assert.equal((await stored(channel.id)).length, 2);
});

test('an update without this bot’s secret is refused', async () => {
  const { channel, call } = await telegramChannel('222:two');
  for (const shown of ['', 'wrong', webhookSecret({ bot_token: '111:one' }), '222:two']) {
    assert.equal((await call(update(5, 1), shown)).status, 403);
  }
  assert.deepEqual(await stored(channel.id), []);
});

test('a pressed button is acknowledged in the response', async () => {
  const { call } = await telegramChannel('333:three');
  const press = { id: 'q1', from: { id: 777, first_name: 'Ann' }, data: 'yes' };
  const { body } = await call({ update_id: 5, callback_query: press });
  assert.deepEqual(body, { method: 'answerCallbackQuery', callback_query_id: 'q1' });
});

test('an update that cannot be stored now is not accepted: the provider repeats it', async () => {
  const { channel, call } = await telegramChannel('444:four');
  await sql`alter table external_ids rename to external_ids_gone`;
  assert.equal((await call(update(5, 1))).status, 500);
  await sql`alter table external_ids_gone rename to external_ids`;
  assert.equal((await call(update(5, 1))).status, 200);
  assert.equal((await stored(channel.id)).length, 1);
});

test('arbitrary bytes are refused or accepted, and never cause a server error', async () => {
  const own = await apiChannel('s3cret');
  const bot = await telegramChannel('555:five');
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: 'binary' }).map((some) => new TextEncoder().encode(some)),
    fc.json().map((some) => new TextEncoder().encode(some)),
  );
  const path = fc.constantFrom('messages/', 'receipts/', 'stopped/');
  await fc.assert(
    fc.asyncProperty(path, bytes, async (somePath, body) => {
      assert.ok((await own.call(somePath, body)).status < 500);
      assert.ok((await bot.call(body)).status < 500);
    }),
    { numRuns: 60 },
  );
  const deep = `${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`;
  assert.equal((await own.call('messages/', deep)).status, 400);
  assert.ok((await bot.call(deep)).status < 500);
  assert.equal((await own.call('messages/', 'x'.repeat(1024 * 1024 + 1))).status, 413);
});

test('any valid text comes back from the database unchanged', async () => {
  const { channel, call } = await apiChannel('s3cret');
  let count = 0;
  const writable = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((some) => some.isWellFormed() && !some.includes('\0'));
  await fc.assert(
    fc.asyncProperty(writable, async (words) => {
      count += 1;
      const { chat, message } = text(`t-${count}`);
      const { status, body } = await call('messages/', { chat, message: { ...message, text: words } });
      assert.equal(status, 200);
      const [row] =
        await sql`select content from messages where project_id = ${channel.projectId} and id = ${body.message_uuid}`;
      assert.equal(row?.content.text, words);
    }),
    { numRuns: 30 },
  );
});

test('a client that guesses at a channel’s secret is soon throttled, and other callers are not', async () => {
  const { channel } = await apiChannel('guessed');
  const attempt = async (secret: string, from: string) => {
    const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': from };
    return (await post(`/channels/${channel.id}/messages/`, headers, text('m-1'))).status;
  };
  const right = 'guessed of a messenger of 24';
  for (let n = 0; n < 10; n += 1) assert.equal(await attempt(`wrong ${n}`, '198.51.100.1'), 403);
  assert.equal(await attempt('wrong', '198.51.100.1'), 403);
  assert.equal(await attempt('wrong', '198.51.100.1'), 429);
  assert.equal(await attempt(right, '198.51.100.1'), 429, 'nor whether it was right');
  assert.equal(await attempt(right, '198.51.100.2'), 200);
  clock.advance(60_000);
  assert.equal(await attempt(right, '198.51.100.1'), 200);
});
