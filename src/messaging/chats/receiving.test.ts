import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import {
  announced,
  noon,
  seedApplication,
  seedChannel,
  seedEndpoint,
  seedMessage,
  seedProject,
} from '../../../test/seed.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';
import type { InboundEvent } from '../../channels/contract/inbound.ts';
import { importScenario } from '../../scenarios/import.ts';
import { setStarters } from '../../scenarios/starters.ts';
import { receiveEvents } from './receive.ts';
import { type Incoming, storeIncoming } from './receive-store.ts';
import { startReceiving } from './receiving.ts';
import { findChatsAt } from './store.ts';

/** Concurrent messages share their statements. Each must still have its own chat, reactions, runs and answer. */

const database = await testDatabase({ after });
const { sql } = database;
const context = testContext(database, manualClock(noon));
const { newId } = context;

type Told = { from: string; externalId?: string; text?: string; payload?: string; name?: string };

async function place() {
  const projectId = await seedProject(sql);
  const endpointId = await seedEndpoint(sql, projectId, await seedApplication(sql));
  const channel = {
    projectId,
    id: await seedChannel(sql, projectId),
    platform: 'API_Messenger' as const,
    name: 'Shop',
  };
  const receiving = startReceiving(context);
  const tell = async ({ from, externalId = newId(), text = 'hello', payload, name }: Told) => {
    const event: InboundEvent = {
      kind: 'message',
      chat: { externalId: from, ...(name && { name }) },
      message: { externalId, type: payload ? 'button' : 'text', text, url: null, payload: payload ?? null },
    };
    const [received] = await receiveEvents(context, channel, [event], receiving);
    if (!received) throw new Error('the message was not received');
    return received;
  };
  const chatOf = async (from: string) => {
    const [chat] = await findChatsAt(sql, [{ channel, externalId: from }]);
    if (!chat) throw new Error(`there is no chat of ${from}`);
    return chat;
  };
  return { projectId, endpointId, channel, receiving, tell, chatOf };
}

const textsIn = async (chatId: string) => {
  const rows = await sql<{ text: string }[]>`
    select content ->> 'text' as text from messages where chat_id = ${chatId} order by id`;
  return rows.map(({ text }) => text);
};

test('fifty clients who write at once have each their chat, name, message and event', async () => {
  const { tell, chatOf, endpointId } = await place();
  const names = Array.from({ length: 50 }, (_, index) => `client-${index}`);
  for (const round of ['first', 'second']) {
    await Promise.all(
      names.map((name) => tell({ from: name, name: `${name}, ${round}`, text: `${name}: ${round}` })),
    );
  }
  for (const name of names) {
    const chat = await chatOf(name);
    assert.equal(chat.name, `${name}, second`);
    assert.deepEqual(await textsIn(chat.id), [`${name}: first`, `${name}: second`]);
  }
  assert.equal((await announced(sql, endpointId)).length, 100);
});

test('what one client writes at once stays in order', async () => {
  const { tell, chatOf, endpointId } = await place();
  await tell({ from: 'ann', text: 'first' });
  const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
  await Promise.all(texts.map((text) => tell({ from: 'ann', text })));
  assert.deepEqual(await textsIn((await chatOf('ann')).id), ['first', ...texts]);
  const events = await announced(sql, endpointId);
  assert.deepEqual(
    events.map(([, payload]) => (payload as { message: { text: string } }).message.text),
    ['first', ...texts],
  );
});

test('one external id in two chats at once is one message, and both get its ids', async () => {
  const { tell, projectId } = await place();
  await Promise.all([tell({ from: 'ann' }), tell({ from: 'bob' })]);
  const [one, two] = await Promise.all([
    tell({ from: 'ann', externalId: 'same' }),
    tell({ from: 'bob', externalId: 'same' }),
  ]);
  assert.deepEqual(one, two);
  const [row] = await sql`
    select count(*)::int as messages from messages where project_id = ${projectId} and external_id = 'same'`;
  assert.deepEqual(row, { messages: 1 });
});

test('a reply and a press at once count each for the messages of their own chat', async () => {
  const { tell, chatOf, projectId, channel, endpointId } = await place();
  const sent = new Map<string, string>();
  for (const from of ['ann', 'bob', 'eve']) {
    await tell({ from });
    const id = newId();
    const content = { text: 'Yes?', buttons: [{ text: 'Yes', payload: 'yes' }] };
    await sql`
      insert into messages (project_id, id, chat_id, channel_id, direction, source, content_type, content, created_at,
        state, sent_at)
      values (${projectId}, ${id}, ${(await chatOf(from)).id}, ${channel.id}, 'out', 'stream', 'TEXT',
        ${sql.json(content)}, ${noon}, 'SENT', ${noon})`;
    sent.set(from, id);
  }
  const before = (await announced(sql, endpointId)).length;
  await Promise.all([
    tell({ from: 'ann', text: 'Thanks' }),
    tell({ from: 'bob', text: 'Yes', payload: 'yes' }),
    tell({ from: 'bob', text: 'Yes', payload: 'yes' }),
  ]);
  const marks = await sql`
    select id, replied_at, clicked_at from messages
    where project_id = ${projectId} and direction = 'out' order by id`;
  assert.deepEqual(
    [...marks],
    [
      { id: sent.get('ann'), replied_at: noon, clicked_at: null },
      { id: sent.get('bob'), replied_at: null, clicked_at: noon },
      { id: sent.get('eve'), replied_at: null, clicked_at: null },
    ],
  );
  const kinds = (await announced(sql, endpointId)).slice(before).map(([type]) => type);
  assert.deepEqual(kinds.toSorted(), [
    ...['message_created', 'message_created', 'message_created'],
    ...['stream.reaction', 'stream.reaction'],
  ]);
});

test('a keyword of one client starts nothing for another who writes at once', async () => {
  const { tell, chatOf, projectId } = await place();
  for (const name of ['Prices', 'Order']) {
    const file = Buffer.from(JSON.stringify({ name, steps: [{ id: 'q', type: 'ask', text: '?' }] }));
    await importScenario(context, { projectId, file });
  }
  await setStarters(context, projectId, [
    { keyword: 'price', scenario: 'Prices' },
    { keyword: 'order', scenario: 'Order' },
  ]);
  const said = { ann: 'price', bob: 'order', eve: 'hello' };
  await Promise.all(Object.keys(said).map((from) => tell({ from })));
  await Promise.all(Object.entries(said).map(([from, text]) => tell({ from, text })));
  const started = await sql`
    select chats.id, scenarios.name from scenario_runs runs
    join scenarios on scenarios.id = scenario_id join chats on chats.id = runs.chat_id
    where runs.project_id = ${projectId} order by scenarios.name`;
  assert.deepEqual(
    [...started],
    [
      { id: (await chatOf('bob')).id, name: 'Order' },
      { id: (await chatOf('ann')).id, name: 'Prices' },
    ],
  );
});

test('receipts at once move the messages of their own channels only', async () => {
  const { tell, chatOf, projectId, channel, receiving } = await place();
  const other = { ...channel, id: await seedChannel(sql, projectId) };
  await tell({ from: 'ann' });
  const chatId = (await chatOf('ann')).id;
  const numbers = Array.from({ length: 30 }, (_, index) => index);
  const seed = (channelId: string, provider_id: string) =>
    seedMessage(sql, projectId, { chatId, channelId, provider_id });
  for (const number of numbers) {
    await seed(channel.id, `p-${number}`);
    await seed(other.id, `p-${number}`);
  }
  const receipt = (number: number, state: 'delivered' | 'read'): InboundEvent => ({
    kind: 'receipt',
    message: { providerId: `p-${number}` },
    state,
    detail: '',
  });
  await Promise.all(
    numbers.flatMap((number) => [
      receiveEvents(context, channel, [receipt(number, 'delivered')], receiving),
      receiveEvents(context, number < 10 ? other : channel, [receipt(number, 'read')], receiving),
    ]),
  );
  const states = await sql`
    select channel_id, state, count(*)::int from messages
    where project_id = ${projectId} and direction = 'out' group by channel_id, state order by channel_id, state`;
  assert.deepEqual(
    [...states],
    [
      { channel_id: channel.id, state: 'DELIVERED', count: 10 },
      { channel_id: channel.id, state: 'READ', count: 20 },
      { channel_id: other.id, state: 'READ', count: 10 },
      { channel_id: other.id, state: 'SENT', count: 20 },
    ],
  );
});

const incoming = (chat: Incoming['chat'], externalId = newId()): Incoming => ({
  chat,
  message: { id: newId(), external_id: externalId, content_type: 'text', content: { text: 'hello' } },
  reaction: { type: 'REPLY', messages: [] },
  announcements: [],
  heard: null,
  now: noon,
});

test('a message that the database refuses prevents no other', async () => {
  const { tell, chatOf, receiving } = await place();
  await tell({ from: 'ann' });
  const chat = await chatOf('ann');
  const gone = { ...chat, id: newId() };
  const stored = await Promise.allSettled([chat, gone].map((one) => receiving.store(incoming(one))));
  assert.deepEqual(
    stored.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.deepEqual(await textsIn(chat.id), ['hello', 'hello']);
});

test('chats are locked in one order, whatever the order of their messages', twoSessions, async () => {
  const { tell, chatOf } = await place();
  await Promise.all([tell({ from: 'ann' }), tell({ from: 'bob' })]);
  const chats = [await chatOf('ann'), await chatOf('bob')].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const [first, second] = chats;
  assert.ok(first && second);
  // The order of the external ids is the other one.
  const messages = [incoming(first, 'b'), incoming(second, 'a')];
  let storing: Promise<unknown> = Promise.resolve();
  await sql.begin(async (transaction) => {
    const row = (id: string) => sql`select from chats where id = ${id}`;
    await transaction`${row(first.id)} for no key update`;
    storing = storeIncoming(sql, messages, noon);
    await somebodyWaits(sql);
    assert.equal((await transaction`${row(second.id)} for no key update skip locked`).length, 1);
  });
  assert.deepEqual(await storing, [true, true]);
});

test('a receipt up to a time that no database knows holds up nobody', async () => {
  const [ours, theirs] = [await place(), await place()];
  for (const year of [-5_000, 10_000, 200_000]) {
    const until = new Date(Date.UTC(year, 0));
    const receipt: InboundEvent = {
      kind: 'receipt',
      message: { chat: 'ann', until },
      state: 'read',
      detail: '',
    };
    const received = receiveEvents(context, theirs.channel, [receipt], ours.receiving);
    await ours.tell({ from: `ann ${year}` });
    assert.deepEqual(await received, [null]);
  }
});
