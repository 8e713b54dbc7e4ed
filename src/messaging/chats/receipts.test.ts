import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { type ManualClock, manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import {
  announced,
  noon,
  seedApplication,
  seedChannel,
  seedChat,
  seedEndpoint,
  seedMessage,
  seedProject,
} from '../../../test/seed.ts';
import { somebodyWaits, twoSessions } from '../../../test/waiting.ts';
import type { Receipt } from '../../channels/contract/capabilities.ts';
import type { InboundEvent } from '../../channels/contract/inbound.ts';
import type { Context } from '../../platform/context.ts';
import { forgetMarks } from './early-receipts-store.ts';
import { receiveEarlyReceipts, receiveStranded } from './receipts.ts';
import { receiveEvents } from './receive.ts';
import type { ChatChannel } from './store.ts';

const { sql } = await testDatabase({ after });
const at = (minutes: number): Date => new Date(noon.getTime() + minutes * 60_000);

let clock: ManualClock;
let context: Context;
let channel: ChatChannel;
let endpointId: string;
let chatId: string;

beforeEach(async () => {
  clock = manualClock();
  context = testContext({ sql }, clock);
  const projectId = await seedProject(sql);
  channel = {
    projectId,
    id: await seedChannel(sql, projectId),
    platform: 'API_Messenger',
    name: 'Messenger',
  };
  endpointId = await seedEndpoint(sql, projectId, await seedApplication(sql));
  chatId = await seedChat(sql, projectId, { channelId: channel.id });
});

const messageIn = (state: string, more: { provider_id?: string; lease?: string } = {}): Promise<string> =>
  seedMessage(sql, channel.projectId, { chatId, channelId: channel.id, state, ...more });

const receipt = (uuid: string, state: Receipt, detail = ''): InboundEvent => ({
  kind: 'receipt',
  message: { uuid },
  state,
  detail,
});

const receive = (...events: InboundEvent[]) => receiveEvents(context, channel, events);

const message = async (id: string) => {
  const [row] = await sql`
    select state, state_detail, lease, sent_at, delivered_at, read_at from messages where id = ${id}`;
  return row;
};

const states = async () =>
  (await announced(sql, endpointId)).map(([type, { message }]) => {
    assert.ok(typeof message === 'object' && message && 'state' in message);
    return [type, message.state];
  });

test('delivered, then read: each is recorded with its time and announced', async () => {
  const id = await messageIn('SENT');
  clock.advance(60_000);
  await receive(receipt(id.toUpperCase(), 'delivered'));
  clock.advance(60_000);
  await receive(receipt(id, 'read'));
  const row = await message(id);
  assert.deepEqual([row?.state, row?.delivered_at, row?.read_at], ['READ', at(1), at(2)]);
  assert.deepEqual(await states(), [
    ['message_updated', { code: 'DELIVERED', detail: '' }],
    ['message_updated', { code: 'READ', detail: '' }],
  ]);
});

test("the announcement names the chat, the profile, the message and the chat's open session", async () => {
  const id = await messageIn('SENT');
  await sql`
    insert into sessions (project_id, id, chat_id, title, context, opened_at)
    values (${channel.projectId}, ${context.newId()}, ${chatId}, 'Order', '{"order": 7}', ${noon})`;
  await receive(receipt(id, 'delivered'));
  const [chat] = await sql`select profile_id from chats where id = ${chatId}`;
  assert.deepEqual((await announced(sql, endpointId))[0]?.[1], {
    chat: { uuid: chatId, platform: 'API_Messenger', name: null, phone: null, avatar: null },
    profile: { uuid: chat?.profile_id },
    message: {
      uuid: id,
      type: 'text',
      text: 'hello',
      external_id: null,
      state: { code: 'DELIVERED', detail: '' },
    },
    session: { title: 'Order', context: { order: 7 }, team: null },
  });
});

test('a message read without a delivery receipt has no time of delivery', async () => {
  const id = await messageIn('SENT');
  await receive(receipt(id, 'read'));
  const row = await message(id);
  assert.deepEqual([row?.state, row?.delivered_at, row?.read_at], ['READ', null, noon]);
});

test('a receipt before the recorded result proves the sending, and releases the message', async () => {
  const id = await messageIn('IN_PROCESS', { lease: context.newId() });
  await receive(receipt(id, 'delivered'));
  const row = await message(id);
  assert.deepEqual(
    [row?.state, row?.lease, row?.sent_at, row?.delivered_at],
    ['DELIVERED', null, noon, noon],
  );
  assert.deepEqual(
    (await states()).map(([, state]) => state),
    [
      { code: 'SENT', detail: '' },
      { code: 'DELIVERED', detail: '' },
    ],
  );
});

test('a message that the provider could not deliver is undelivered, with its reason', async () => {
  for (const state of ['IN_PROCESS', 'SENT', 'DELIVERED']) {
    const id = await messageIn(state);
    await receive(receipt(id, 'undelivered', 'The number is gone.'));
    const row = await message(id);
    assert.deepEqual(
      [row?.state, row?.state_detail, row?.lease],
      ['UNDELIVERED', 'The number is gone.', null],
    );
  }
});

test('a late or repeated receipt changes nothing and announces nothing', async () => {
  for (const state of ['PENDING', 'READ', 'UNDELIVERED', 'CANCELLED', 'ERROR']) {
    const id = await messageIn(state);
    await receive(receipt(id, 'delivered'), receipt(id, 'read'), receipt(id, 'undelivered', 'late'));
    assert.equal((await message(id))?.state, state);
  }
  const delivered = await messageIn('DELIVERED');
  await receive(receipt(delivered, 'delivered'));
  assert.equal((await message(delivered))?.delivered_at, null);
  assert.deepEqual(await states(), []);
});

test('receipts of one batch are applied one by one, whichever id names the message', async () => {
  const first = await messageIn('IN_PROCESS', { provider_id: 'p1' });
  const second = await messageIn('SENT', { provider_id: 'p2' });
  const byProvider = (providerId: string, state: Receipt): InboundEvent => ({
    kind: 'receipt',
    message: { providerId },
    state,
    detail: '',
  });
  await receive(
    byProvider('p1', 'delivered'),
    byProvider('p2', 'read'),
    receipt(first, 'read'),
    receipt(second, 'delivered'),
  );
  assert.equal((await message(first))?.state, 'READ');
  const row = await message(second);
  assert.deepEqual([row?.state, row?.delivered_at], ['READ', null]);
  assert.equal((await states()).length, 4);
});

test("receipts of another channel, or for a client's own message, are ignored", async () => {
  const id = await messageIn('SENT', { provider_id: 'p1' });
  const mine = channel;
  const elsewhere = [
    { ...mine, id: await seedChannel(sql, mine.projectId) },
    { ...mine, projectId: await seedProject(sql) },
  ];
  for (channel of elsewhere) {
    await receive(receipt(id, 'delivered'), {
      kind: 'receipt',
      message: { providerId: 'p1' },
      state: 'read',
      detail: '',
    });
  }
  assert.equal((await message(id))?.state, 'SENT');

  channel = mine;
  const [written] = await receive({
    kind: 'message',
    chat: { externalId: 'ann' },
    message: { externalId: 'm1', type: 'text', text: 'hello', url: null, payload: null },
  });
  await receive(receipt(written?.messageUuid ?? '', 'read'));
  assert.equal((await message(written?.messageUuid ?? ''))?.state, null);
});

test('the same receipts for many messages, concurrently and in every order, only move them forwards and are announced once', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 12; index += 1) ids.push(await messageIn('IN_PROCESS'));
  const batches = Array.from({ length: 8 }, (_, index) =>
    (index % 2 ? ids : ids.toReversed()).map((id) => receipt(id, index % 4 < 2 ? 'delivered' : 'read')),
  );
  await Promise.all(batches.map((batch) => receive(...batch)));
  for (const id of ids) assert.equal((await message(id))?.state, 'READ');
  const codes = (await states()).map(([, state]) => JSON.stringify(state));
  assert.equal(codes.filter((code) => code.includes('"SENT"')).length, ids.length);
  assert.equal(codes.filter((code) => code.includes('"READ"')).length, ids.length);
});

test('a receipt up to a number is kept for messages whose numbers become known later', async () => {
  channel = { ...channel, platform: 'Vkontakte' };
  const ids = await Promise.all([1, 2, 3].map(() => messageIn('IN_PROCESS')));
  const upTo = (number: string): InboundEvent => ({
    kind: 'receipt',
    message: { chat: 'ann', upTo: number },
    state: 'read',
    detail: '',
  });
  await sql`update chats set external_id = 'ann' where id = ${chatId}`;
  // A receipt that comes late does not lower the number.
  for (const number of ['9007199254740993', '7', 'no number']) await receive(upTo(number));
  const sent = ['9007199254740992', '9007199254740993', '9007199254740994'];
  for (const [place, id] of ids.entries()) {
    await sql`update messages set state = 'SENT', sent_at = ${noon}, provider_id = ${sent[place] ?? null} where id = ${id}`;
    await receiveEarlyReceipts(context, channel, [{ providerId: sent[place] ?? '' }], noon);
  }
  const reached = await Promise.all(ids.map(async (id) => (await message(id))?.state));
  assert.deepEqual(reached, ['READ', 'READ', 'SENT']);
});

test('a receipt until a time is kept for messages whose calls had begun and are answered later', async () => {
  channel = { ...channel, platform: 'Facebook' };
  await sql`update chats set external_id = 'ann' where id = ${chatId}`;
  clock.advance(10 * 60_000);
  const untilMinute = (minutes: number): InboundEvent => ({
    kind: 'receipt',
    message: { chat: 'ann', until: at(minutes) },
    state: 'read',
    detail: '',
  });
  const ids = await Promise.all([1, 2, 3].map(() => messageIn('IN_PROCESS')));
  // A receipt that comes late does not bring the time back, and none is from the future.
  for (const minutes of [5, 4]) await receive(untilMinute(minutes));
  const called = [at(4), at(5), at(6)];
  for (const [place, id] of ids.entries()) {
    await sql`update messages set state = 'SENT', sent_at = ${at(9)}, provider_id = ${`m_${place}`} where id = ${id}`;
    await receiveEarlyReceipts(
      context,
      channel,
      [{ providerId: `m_${place}`, calledAt: called[place] }],
      at(10),
    );
  }
  const reached = () => Promise.all(ids.map(async (id) => (await message(id))?.state));
  assert.deepEqual(await reached(), ['READ', 'READ', 'SENT']);
  const never = { chat: 'ann', until: new Date(Number.NaN) };
  await receive(untilMinute(1_000_000), { kind: 'receipt', message: never, state: 'read', detail: '' });
  await receiveEarlyReceipts(context, channel, [{ providerId: 'm_2', calledAt: at(11) }], at(12));
  const kept = await sql`select up_to::text from early_marks where channel_id = ${channel.id}`;
  assert.deepEqual([...kept], [{ up_to: String(at(10).getTime()) }]);
});

const deliveredTo = (providerId: string): InboundEvent => ({
  kind: 'receipt',
  message: { providerId },
  state: 'delivered',
  detail: '',
});

/** The answer to the call that sent this message is recorded. */
const recordSent = (id: string, providerId: string) => sql`
  update messages set state = 'SENT', sent_at = ${noon}, provider_id = ${providerId} where id = ${id}`;

test('a receipt stays until its own message is known, while others of its batch become known', async () => {
  channel = { ...channel, platform: 'Viber' };
  const [first, second] = [await messageIn('IN_PROCESS'), await messageIn('IN_PROCESS')];
  // The answer for the first is recorded while the receipts of both are kept.
  await sql.unsafe(`
    create function record_first() returns trigger language plpgsql as $$
    begin
      update messages set state = 'SENT', sent_at = now(), provider_id = '1' where id = '${first}';
      return null;
    end $$`);
  await sql.unsafe(
    'create trigger record_first after insert on early_receipts for each statement execute function record_first()',
  );
  await receive(deliveredTo('1'), deliveredTo('2'));
  await sql.unsafe('drop function record_first cascade');
  await recordSent(second, '2');
  await receiveEarlyReceipts(context, channel, [{ providerId: '2' }], noon);
  assert.deepEqual(
    [(await message(first))?.state, (await message(second))?.state],
    ['DELIVERED', 'DELIVERED'],
  );
});

test('a kept receipt survives a failure while it is applied', async () => {
  channel = { ...channel, platform: 'Viber' };
  const id = await messageIn('IN_PROCESS');
  await receive(deliveredTo('1'));
  await recordSent(id, '1');
  await sql.unsafe(`
    create function spoil() returns trigger language plpgsql as $$ begin raise 'spoilt'; end $$`);
  await sql.unsafe('create trigger spoil before update on messages for each row execute function spoil()');
  await assert.rejects(receiveEarlyReceipts(context, channel, [{ providerId: '1' }], noon), /spoilt/);
  await sql.unsafe('drop function spoil cascade');
  await receiveEarlyReceipts(context, channel, [{ providerId: '1' }], noon);
  assert.equal((await message(id))?.state, 'DELIVERED');
  assert.equal((await sql`select from early_receipts where channel_id = ${channel.id}`).length, 0);
});

test('a receipt that was left behind by a process which has ended is applied', async () => {
  channel = { ...channel, platform: 'Viber' };
  await sql`update channels set platform = 'Viber' where id = ${channel.id}`;
  const id = await messageIn('IN_PROCESS');
  await receive(deliveredTo('1'), deliveredTo('of nobody'));
  await recordSent(id, '1');
  await receiveStranded(context);
  assert.equal((await message(id))?.state, 'DELIVERED');
  const kept = await sql`select provider_id from early_receipts where channel_id = ${channel.id}`;
  assert.deepEqual([...kept], [{ provider_id: 'of nobody' }]);
});

test('a kept receipt is only for its own chat, and is forgotten', async () => {
  channel = { ...channel, platform: 'Vkontakte' };
  const id = await messageIn('SENT', { provider_id: '5' });
  const mark = { chat: 'somebody else', upTo: '9' };
  await receive({ kind: 'receipt', message: mark, state: 'read', detail: '' });
  await receiveEarlyReceipts(context, channel, [{ providerId: '5' }], noon);
  assert.equal((await message(id))?.state, 'SENT');
  const kept = () => sql`select from early_marks where channel_id = ${channel.id}`;
  await forgetMarks(sql, noon);
  assert.equal((await kept()).length, 1);
  await forgetMarks(sql, at(1));
  assert.equal((await kept()).length, 0);
});

test("a receipt's detail belongs to its own state, and not to the sending that it proves", async () => {
  const id = await messageIn('IN_PROCESS');
  await receive(receipt(id, 'delivered', 'Late'));
  const told = (await announced(sql, endpointId)).map(([, { message }]) =>
    message && typeof message === 'object' && 'state' in message ? message.state : null,
  );
  assert.deepEqual(told, [
    { code: 'SENT', detail: '' },
    { code: 'DELIVERED', detail: 'Late' },
  ]);
});

test('a receipt wakes the workers that announce it, and a late receipt wakes none', async () => {
  const id = await messageIn('SENT');
  const topics: string[] = [];
  context = { ...context, wake: { ...context.wake, wake: (topic) => void topics.push(topic) } };
  await receive(receipt(id, 'read'));
  await receive(receipt(id, 'delivered'));
  assert.deepEqual(topics, ['webhooks', 'live']);
});

test('messages are locked in one order, whatever the order of their receipts', twoSessions, async () => {
  const ids = [await messageIn('SENT'), await messageIn('SENT')].toSorted();
  const [first = '', second = ''] = ids;
  // The first message is now behind the second in the table too: no other order is that of the ids.
  await sql`update messages set tag = 'moved' where id = ${first}`;
  let moving: Promise<unknown> = Promise.resolve();
  await sql.begin(async (transaction) => {
    await transaction`select from messages where id = ${first} for update`;
    moving = receive(receipt(second, 'read'), receipt(first, 'read'));
    await somebodyWaits(sql);
    // A statement that waits for the first has not locked the second yet.
    const free = await sql`select from messages where id = ${second} for update skip locked`;
    assert.equal(free.length, 1);
  });
  await moving;
  assert.deepEqual([(await message(first))?.state, (await message(second))?.state], ['READ', 'READ']);
});
