import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedChannel, seedProject } from '../../../test/seed.ts';
import type { Correspondent, InboundEvent } from '../../channels/contract/inbound.ts';
import { findLastingIds } from './lasting-ids-store.ts';
import { receiveEvents } from './receive.ts';
import type { ChatChannel } from './store.ts';

const { sql } = await testDatabase({ after });
const clock = manualClock();
const context = testContext({ sql }, clock);
let channel: ChatChannel;

beforeEach(async () => {
  const projectId = await seedProject(sql);
  const id = await seedChannel(sql, projectId);
  channel = { projectId, id, platform: 'API_Messenger', name: 'Messenger' };
});

let last = 0;
const receive = (...events: InboundEvent[]) => receiveEvents(context, channel, events);

/** The chat to which the message of this client goes. */
async function write(chat: Correspondent): Promise<string> {
  last += 1;
  const message = { externalId: `m${last}`, type: 'text' as const, text: 'Hi', url: null, payload: null };
  const [received] = await receive({ kind: 'message', chat, message });
  return received?.chatUuid ?? assert.fail();
}

const addresses = async () => {
  const rows = await sql<{ external_id: string }[]>`
    select external_id from chats where channel_id = ${channel.id} order by external_id`;
  return rows.map(({ external_id }) => external_id);
};

const phone = '+16505551234';

test('a client who no longer shows their number stays in the same chat, whose messages go to the number', async () => {
  const chat = await write({ externalId: phone, phone, lastingId: 'US.1' });
  assert.equal(await write({ externalId: 'US.1' }), chat);
  assert.equal(await write({ externalId: phone, phone, lastingId: 'US.1' }), chat);
  assert.deepEqual(await addresses(), [phone]);
});

test('a chat from before the lasting id was known learns it', async () => {
  const chat = await write({ externalId: phone, phone });
  assert.equal(await write({ externalId: phone, phone, lastingId: 'US.1' }), chat);
  assert.equal(await write({ externalId: 'US.1' }), chat);
});

test('a client who shows their number later stays in the same chat, which a partner now finds by the number', async () => {
  const chat = await write({ externalId: 'US.1' });
  assert.equal(await write({ externalId: phone, phone, lastingId: 'US.1' }), chat);
  assert.deepEqual(await addresses(), [phone]);
  assert.equal(await write({ externalId: 'US.1' }), chat);
  const [row] = await sql`select phone from chats where id = ${chat}`;
  assert.equal(row?.phone, phone);
});

test('a client with another user name stays in the same chat, and the old name belongs to nobody', async () => {
  const chat = await write({ externalId: '@ann', lastingId: '78' });
  assert.equal(await write({ externalId: '@annie', lastingId: '78' }), chat);
  assert.deepEqual(await addresses(), ['@annie']);
  assert.notEqual(await write({ externalId: '@ann', lastingId: '79' }), chat);
});

test('a client who takes a user name that another one had gets neither their chat nor their messages', async () => {
  const chat = await write({ externalId: '@ann', lastingId: '78' });
  const other = await write({ externalId: '@ann', lastingId: '79' });
  assert.notEqual(other, chat);
  assert.deepEqual(await addresses(), ['78', '@ann']);
  assert.equal(await write({ externalId: '@ann', lastingId: '79' }), other);
  assert.equal(await write({ externalId: '@annie', lastingId: '78' }), chat);
  assert.deepEqual(await addresses(), ['@ann', '@annie']);
});

test('the lasting ids of a chat are in the order in which they were learnt', async () => {
  const chat = await write({ externalId: phone, phone, lastingId: '9' });
  clock.advance(1_000);
  await write({ externalId: phone, phone, lastingId: '10' });
  clock.advance(1_000);
  await write({ externalId: phone, phone, lastingId: '1' });
  const asked = [{ project_id: channel.projectId, chat_id: chat }];
  assert.deepEqual((await findLastingIds(sql, asked)).get(chat), ['9', '10', '1']);
  await sql`update lasting_ids set learnt_at = null where chat_id = ${chat} and lasting_id <> '10'`;
  assert.equal((await findLastingIds(sql, asked)).get(chat)?.at(-1), '10');
});

test('clients who exchange their user names keep their chats', async () => {
  const ann = await write({ externalId: '@ann', lastingId: '78' });
  const bob = await write({ externalId: '@bob', lastingId: '79' });
  assert.equal(await write({ externalId: '@ann', lastingId: '79' }), bob);
  assert.equal(await write({ externalId: '@bob', lastingId: '78' }), ann);
  const rows = await sql`select external_id from chats where id in (${ann}, ${bob}) order by id`;
  assert.deepEqual(
    rows.map(({ external_id }) => external_id),
    ['@bob', '@ann'],
  );
});

test('two chats that were there before stay two, and each message goes to the chat at its address', async () => {
  const byId = await write({ externalId: 'US.1' });
  const byPhone = await write({ externalId: phone, phone });
  assert.equal(await write({ externalId: phone, phone, lastingId: 'US.1' }), byPhone);
  assert.equal(await write({ externalId: 'US.1' }), byId);
});

test('a lasting id is one only in its own channel', async () => {
  const chat = await write({ externalId: phone, phone, lastingId: 'US.1' });
  channel = { ...channel, id: await seedChannel(sql, channel.projectId) };
  assert.notEqual(await write({ externalId: 'US.1' }), chat);
});

test('twenty messages of a new client at once are one chat', async () => {
  const chats = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      write(n % 2 ? { externalId: phone, phone, lastingId: 'US.1' } : { externalId: phone, phone }),
    ),
  );
  assert.equal(new Set(chats).size, 1);
});

test('a client with a new number keeps the chat, and the next owner of the old number has another', async () => {
  const chat = await write({ externalId: phone });
  await receive({ kind: 'moved', from: phone, to: '+12195555358' });
  await receive({ kind: 'moved', from: phone, to: '+12195555358' });
  assert.equal(await write({ externalId: '+12195555358' }), chat);
  assert.notEqual(await write({ externalId: phone }), chat);
  // The address is taken.
  await receive({ kind: 'moved', from: phone, to: '+12195555358' });
  assert.equal(await write({ externalId: '+12195555358' }), chat);
});

test('a client with another lasting id stays in the same chat, at its number or at the id', async () => {
  const shown = await write({ externalId: phone, phone, lastingId: 'US.1' });
  const hidden = await write({ externalId: 'US.5' });
  await receive({ kind: 'moved', from: 'US.1', to: 'US.2' }, { kind: 'moved', from: 'US.5', to: 'US.6' });
  assert.equal(await write({ externalId: 'US.2' }), shown);
  assert.equal(await write({ externalId: 'US.6' }), hidden);
  assert.deepEqual(await addresses(), [phone, 'US.6']);
});
