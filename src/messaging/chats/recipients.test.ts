import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { noon, seedChannel, seedChat, seedProfile, seedProject } from '../../../test/seed.ts';
import { keepLastingId } from './lasting-ids-store.ts';
import { type RecipientRequest, resolveRecipients } from './recipients.ts';

const database = await testDatabase({ after });
let projectId: string;
let channelId: string;

beforeEach(async () => {
  projectId = await seedProject(database.sql);
  channelId = await seedChannel(database.sql, projectId);
});

const later = (minutes: number): Date => new Date(noon.getTime() + minutes * 60_000);

type Asked = Partial<RecipientRequest>;

const resolve = (...asked: Asked[]) =>
  resolveRecipients(
    database.sql,
    asked.map((one) => ({
      projectId,
      chat: null,
      profile: null,
      platforms: ['API_Messenger', 'Telegram'],
      ...one,
    })),
  );

const resolveOne = async (asked: Asked) => (await resolve(asked))[0];

test('a chat is found by its uuid, on any platform', async () => {
  const profileId = await seedProfile(database.sql, projectId);
  const chatId = await seedChat(database.sql, projectId, { channelId, profileId });
  assert.deepEqual(await resolveOne({ chat: { uuid: chatId.toUpperCase() }, platforms: [] }), {
    kind: 'found',
    chat: { id: chatId, channelId, platform: 'API_Messenger', profileId },
  });
});

test('each kind of identifier works, mixed in one call and answered in order', async () => {
  const { sql } = database;
  const telegram = await seedChannel(sql, projectId, 'Telegram');
  const max = await seedChannel(sql, projectId, 'Max');
  const vk = await seedChannel(sql, projectId, 'Vkontakte');
  const profileId = await seedProfile(sql, projectId, { phone_number: '+12015550123', external_id: 'crm-1' });
  const byId = await seedChat(sql, projectId, {
    channelId: telegram,
    platform: 'Telegram',
    external_id: '77',
  });
  const byName = await seedChat(sql, projectId, {
    channelId: telegram,
    platform: 'Telegram',
    username: 'Ann',
  });
  const maxChat = await seedChat(sql, projectId, { channelId: max, platform: 'Max', external_id: '88' });
  const vkChat = await seedChat(sql, projectId, { channelId: vk, platform: 'Vkontakte', external_id: '99' });
  const own = await seedChat(sql, projectId, { channelId, profileId });
  const platforms = ['API_Messenger', 'Telegram', 'Max', 'Vkontakte'] as const;

  const answers = await resolve(
    { profile: { external_id: 'crm-1' } },
    { chat: { telegram_id: 77 }, platforms },
    { chat: { telegram_username: '@ann' }, platforms },
    { chat: { max_id: 88 }, platforms },
    { chat: { vkontakte_id: 99 }, platforms },
    { chat: { uuid: own } },
    { profile: { phone_number: '1 (201) 555-0123' } },
    { profile: { uuid: profileId } },
  );
  assert.deepEqual(
    answers.map((answer) => (answer.kind === 'found' ? answer.chat.id : answer.kind)),
    [own, byId, byName, maxChat, vkChat, own, own, own],
  );
});

test('a client is found by a lasting id beside their address, on the platforms of its key only', async () => {
  const { sql } = database;
  const chats: string[] = [];
  for (const platform of ['Telegram_Personal', 'Max_Personal', 'Whatsapp'] as const) {
    const channel = await seedChannel(sql, projectId, platform);
    const chat = await seedChat(sql, projectId, {
      channelId: channel,
      platform,
      external_id: '+79990000001',
    });
    await keepLastingId(sql, { project_id: projectId, channel_id: channel, id: chat }, '77', noon);
    chats.push(chat);
  }
  const foreign = await seedProject(sql);
  const theirs = await seedChannel(sql, foreign, 'Max_Personal');
  const other = await seedChat(sql, foreign, {
    channelId: theirs,
    platform: 'Max_Personal',
    external_id: '+7999',
  });
  await keepLastingId(sql, { project_id: foreign, channel_id: theirs, id: other }, '78', noon);
  const platforms = ['Telegram', 'Telegram_Personal', 'Max', 'Max_Personal', 'Whatsapp'] as const;
  const answers = await resolve(
    { chat: { telegram_id: 77 }, platforms },
    { chat: { max_id: 77 }, platforms },
    { chat: { vkontakte_id: 77 }, platforms },
    { chat: { max_id: 78 }, platforms },
    { chat: { max_id: 77 }, platforms: ['Max'] },
  );
  assert.deepEqual(
    answers.map((answer) => (answer.kind === 'found' ? answer.chat.id : answer.kind)),
    [chats[0], chats[1], 'chat_not_found', 'chat_not_found', 'chat_not_found'],
  );
});

test('a Telegram name is found in any case, and not by look-alike letters', async () => {
  const { sql } = database;
  const chat = await seedChat(sql, projectId, {
    channelId: await seedChannel(sql, projectId, 'Telegram'),
    platform: 'Telegram',
    username: 'Kiss_Me',
  });
  const names = ['kiss_me', '@KISS_ME', '\u212aiss_me', 'kıss_me', 'kİss_me', 'kiſs_me', 'ｋiss_me'];
  const answers = await resolve(...names.map((name) => ({ chat: { telegram_username: name } })));
  const found = answers.map((answer) => (answer.kind === 'found' ? answer.chat.id : answer.kind));
  assert.deepEqual(found, [chat, chat, ...Array(5).fill('chat_not_found')]);
});

test("of a profile's chats the most recently active one that can carry the content is chosen", async () => {
  const { sql } = database;
  const telegram = await seedChannel(sql, projectId, 'Telegram');
  const profileId = await seedProfile(sql, projectId);
  const older = await seedChat(sql, projectId, { channelId, profileId });
  const newer = await seedChat(sql, projectId, { channelId, profileId, last_active_at: later(1) });
  const newest = await seedChat(sql, projectId, {
    channelId: telegram,
    platform: 'Telegram',
    profileId,
    last_active_at: later(2),
  });
  const answers = await resolve(
    { profile: { uuid: profileId } },
    { profile: { uuid: profileId }, platforms: ['API_Messenger'] },
    { profile: { uuid: profileId }, chat: { uuid: older } },
  );
  assert.deepEqual(
    answers.map((answer) => answer.kind === 'found' && answer.chat.id),
    [newest, newer, older],
  );
});

test('of two bots that one person writes to, the most recently active one is chosen', async () => {
  const { sql } = database;
  const bots = [await seedChannel(sql, projectId, 'Telegram'), await seedChannel(sql, projectId, 'Telegram')];
  const chats: string[] = [];
  for (const [index, bot] of bots.entries()) {
    chats.push(
      await seedChat(sql, projectId, {
        channelId: bot,
        platform: 'Telegram',
        external_id: '5',
        last_active_at: later(-index),
      }),
    );
  }
  const answer = await resolveOne({ chat: { telegram_id: 5 } });
  assert.equal(answer?.kind === 'found' && answer.chat.id, chats[0]);
});

test('the same id or name on another platform, or in another project, is another client', async () => {
  const { sql } = database;
  const seedAt = async (inProject: string, platform: 'Vkontakte' | 'Telegram' | 'Telegram_Personal') =>
    seedChat(sql, inProject, {
      channelId: await seedChannel(sql, inProject, platform),
      platform,
      external_id: '5',
      username: 'Ann',
      last_active_at: later(inProject === projectId && platform === 'Telegram' ? 0 : 5),
    });
  const [telegram, vkontakte] = [await seedAt(projectId, 'Telegram'), await seedAt(projectId, 'Vkontakte')];
  const personal = await seedAt(projectId, 'Telegram_Personal');
  const elsewhere = await seedProject(sql);
  const foreign = await seedAt(elsewhere, 'Telegram');
  const phone_number = '+12015550177';
  await seedProfile(sql, elsewhere, { phone_number });
  const asked: Asked[] = [
    { chat: { telegram_id: 5 } },
    { chat: { telegram_username: 'ann' } },
    { chat: { vkontakte_id: 5 }, platforms: ['Vkontakte', 'Telegram'] },
    // A chat that cannot carry the message is skipped, however active.
    { chat: { telegram_id: 5 }, platforms: ['Telegram_Personal'] },
    { chat: { uuid: foreign } },
    { profile: { phone_number } },
  ];
  const found = (await resolve(...asked)).map((one) => (one.kind === 'found' ? one.chat.id : one.kind));
  assert.deepEqual(found, [telegram, telegram, vkontakte, personal, 'chat_not_found', 'profile_not_found']);
});

test('a chat of another profile than the named one is not found', async () => {
  const { sql } = database;
  const chatId = await seedChat(sql, projectId, { channelId });
  const stranger = await seedProfile(sql, projectId);
  assert.deepEqual(
    await resolve(
      { chat: { uuid: chatId }, profile: { uuid: stranger } },
      { chat: { uuid: chatId }, profile: { external_id: 'nobody' } },
    ),
    [{ kind: 'chat_not_found' }, { kind: 'profile_not_found' }],
  );
});

test('a profile without a suitable chat differs from a missing profile', async () => {
  const profileId = await seedProfile(database.sql, projectId, { phone_number: '+12015550124' });
  assert.deepEqual(
    await resolve(
      { profile: { uuid: profileId } },
      { profile: { phone_number: '+12015550199' } },
      { chat: { telegram_id: 1 } },
    ),
    [
      { kind: 'no_chat', profileId, phoneNumber: '+12015550124' },
      { kind: 'profile_not_found' },
      { kind: 'chat_not_found' },
    ],
  );
});

test("another project's chats and profiles do not exist", async () => {
  const { sql } = database;
  const profileId = await seedProfile(sql, projectId, {
    phone_number: '+12015550125',
    external_id: 'theirs',
  });
  const telegram = await seedChannel(sql, projectId, 'Telegram');
  const chatId = await seedChat(sql, projectId, {
    channelId: telegram,
    platform: 'Telegram',
    profileId,
    external_id: '6',
    username: 'bob',
  });
  projectId = await seedProject(sql);
  const answers = await resolve(
    { chat: { uuid: chatId } },
    { chat: { telegram_id: 6 } },
    { chat: { telegram_username: 'bob' } },
    { profile: { uuid: profileId } },
    { profile: { phone_number: '+12015550125' } },
    { profile: { external_id: 'theirs' } },
  );
  assert.deepEqual(
    answers.map(({ kind }) => kind),
    [
      'chat_not_found',
      'chat_not_found',
      'chat_not_found',
      'profile_not_found',
      'profile_not_found',
      'profile_not_found',
    ],
  );
});

test('an empty request finds nobody', async () => {
  assert.deepEqual(await resolve(), []);
});
