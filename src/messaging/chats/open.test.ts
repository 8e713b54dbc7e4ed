import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedChannel, seedChat, seedProfile, seedProject } from '../../../test/seed.ts';
import { openChat, openChatByPhone } from './open.ts';
import { openChatsByPhone } from './open-many.ts';

const { sql } = await testDatabase({ after });
const context = testContext({ sql }, manualClock());
const phone = '+12015550123';
let projectId: string;
let profileId: string;

beforeEach(async () => {
  projectId = await seedProject(sql);
  profileId = await seedProfile(sql, projectId, { phone_number: phone });
});

const crm = { type: 'bot_key', name: 'CRM' } as const;
const open = () => openChatByPhone(context, projectId, profileId, 'Whatsapp', phone, crm);

test("a chat is opened once on the project's channel, in the profile, under concurrent calls", async () => {
  const channelId = await seedChannel(sql, projectId, 'Whatsapp');
  const opened = await Promise.all([open(), open(), open()]);
  const rows =
    await sql`select id, channel_id, profile_id, external_id, phone from chats where project_id = ${projectId}`;
  const [chat, ...others] = rows;
  assert.equal(others.length, 0);
  assert.deepEqual(
    [chat?.channel_id, chat?.profile_id, chat?.external_id, chat?.phone],
    [channelId, profileId, phone, phone],
  );
  for (const one of opened) {
    assert.deepEqual(one, { id: chat?.id, channelId, platform: 'Whatsapp', profileId });
  }
});

test('without a suitable channel there is no chat, whatever channels other projects have', async () => {
  await seedChannel(sql, projectId, 'Telegram_Personal');
  await seedChannel(sql, await seedProject(sql), 'Whatsapp');
  assert.equal(await open(), null);
});

test('an active channel is preferred to a paused one', async () => {
  const paused = await seedChannel(sql, projectId, 'Whatsapp');
  await sql`update channels set state = 'paused' where id = ${paused}`;
  const active = await seedChannel(sql, projectId, 'Whatsapp');
  assert.equal((await open())?.channelId, active);
});

test('a chat from the time when another profile had the number moves to the new owner', async () => {
  await seedChannel(sql, projectId, 'Whatsapp');
  const before = await open();
  await sql`update profiles set phone_number = null where id = ${profileId}`;
  profileId = await seedProfile(sql, projectId, { phone_number: phone });
  assert.deepEqual(await open(), { ...before, profileId });
});

test('the oldest channel is chosen, on the first platform that has one', async () => {
  const personal = await seedChannel(sql, projectId, 'Telegram_Personal');
  const oldest = await seedChannel(sql, projectId, 'Whatsapp');
  await seedChannel(sql, projectId, 'Whatsapp');
  const openOn = async (...platforms: ('Whatsapp' | 'Telegram_Personal')[]) =>
    (await openChat(context, projectId, platforms, { phone }, crm))?.channel_id;
  assert.equal(await openOn('Whatsapp', 'Telegram_Personal'), oldest);
  assert.equal(await openOn('Telegram_Personal', 'Whatsapp'), personal);
});

test('when many chats are opened, an existing one keeps its owner', async () => {
  const channelId = await seedChannel(sql, projectId, 'Whatsapp');
  const stranger = await seedProfile(sql, projectId);
  const at = { channelId, platform: 'Whatsapp', external_id: phone, profileId: stranger } as const;
  const chat = await seedChat(sql, projectId, at);
  assert.equal(await openChatsByPhone(context, projectId, ['Whatsapp'], [phone], crm), true);
  const rows = await sql`select id, profile_id from chats where project_id = ${projectId}`;
  assert.deepEqual([...rows], [{ id: chat, profile_id: stranger }]);
});
