import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { messageEvent, startConnector } from '../../../test/connector-harness.ts';
import { noon, seedChannel, seedChat, seedProfile } from '../../../test/seed.ts';

const { sql, project } = await startConnector({ after });
const phone = '+12015550123';

let here: Awaited<ReturnType<typeof project>>;

beforeEach(async () => {
  here = await project();
});

const chats = () => sql`select * from chats where project_id = ${here.projectId} order by id`;
const profiles = () => sql`select * from profiles where project_id = ${here.projectId} order by id`;

test('a phone number starts a chat on the channel that the type of message belongs to', async () => {
  const whatsapp = await seedChannel(sql, here.projectId, 'Whatsapp');
  const telegram = await seedChannel(sql, here.projectId, 'Telegram_Personal');
  const inWhatsapp = await here.post(
    messageEvent({ phone_number: '1 201 555 0123' }, { type: 'whatsapp_text' }),
  );
  const inTelegram = await here.post(
    messageEvent({ phone_number: phone }, { type: 'telegram_personal_text' }),
  );
  const made = await chats();
  assert.deepEqual(
    made.map((chat) => [chat.id, chat.channel_id, chat.platform, chat.external_id, chat.phone]),
    [
      [inWhatsapp.body.chat_uuid, whatsapp, 'Whatsapp', phone, phone],
      [inTelegram.body.chat_uuid, telegram, 'Telegram_Personal', phone, phone],
    ],
  );
  const [profile, ...others] = await profiles();
  assert.deepEqual([profile?.phone_number, others.length], [phone, 0]);
  assert.equal(inTelegram.body.profile_uuid, profile?.id);
});

test("a plain text goes to the most recently active chat of the number's profile", async () => {
  await seedChannel(sql, here.projectId, 'Whatsapp');
  const profileId = await seedProfile(sql, here.projectId, { phone_number: phone });
  await seedChat(sql, here.projectId, { channelId: here.channelId, profileId });
  const last_active_at = new Date(noon.getTime() + 60_000);
  const newest = await seedChat(sql, here.projectId, {
    channelId: here.channelId,
    profileId,
    last_active_at,
  });
  const { body } = await here.post(messageEvent({ phone_number: phone }));
  assert.deepEqual([body.chat_uuid, body.profile_uuid], [newest, profileId]);
});

test('a plain text to a number without a chat starts one on any suitable channel', async () => {
  const telegram = await seedChannel(sql, here.projectId, 'Telegram_Personal');
  const profileId = await seedProfile(sql, here.projectId, { phone_number: phone });
  const { body } = await here.post(messageEvent({ phone_number: phone }));
  assert.equal(body.profile_uuid, profileId);
  assert.equal((await chats())[0]?.channel_id, telegram);
});

test('ten concurrent first messages to one number make one chat and one profile', async () => {
  await seedChannel(sql, here.projectId, 'Whatsapp');
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      here.post(messageEvent({ phone_number: phone }, { type: 'whatsapp_text' })),
    ),
  );
  assert.equal(new Set(answers.map(({ body }) => body.chat_uuid)).size, 1);
  assert.deepEqual([(await chats()).length, (await profiles()).length], [1, 1]);
});

test('a username starts a chat in Telegram Personal, and is found again in any case', async () => {
  await seedChannel(sql, here.projectId, 'Telegram_Personal');
  const first = await here.post(messageEvent({ username: '@Ann_Lee' }));
  const second = await here.post(messageEvent({ username: 'ann_lee' }));
  assert.equal(first.status, 200);
  assert.equal(second.body.chat_uuid, first.body.chat_uuid);
  const [chat, ...others] = await chats();
  assert.deepEqual([chat?.external_id, chat?.username, others.length], ['@ann_lee', 'Ann_Lee', 0]);
});

test('if no channel can start a chat, the field says so and nothing is created', async () => {
  const byPhone = await here.post(messageEvent({ phone_number: phone }));
  const byName = await here.post(messageEvent({ username: 'ann_lee' }));
  assert.deepEqual(
    [byPhone, byName],
    [
      {
        status: 400,
        body: { chat: { phone_number: ['No channel of the project can start a chat by phone number.'] } },
      },
      {
        status: 400,
        body: { chat: { username: ['No channel of the project can start a chat by username.'] } },
      },
    ],
  );
  assert.deepEqual([(await chats()).length, (await profiles()).length], [0, 0]);
});

test('an invalid username is refused', async () => {
  await seedChannel(sql, here.projectId, 'Telegram_Personal');
  for (const username of ['@', 'two words']) {
    const { status, body } = await here.post(messageEvent({ username }));
    assert.deepEqual([status, body], [400, { chat: { username: ['Enter a valid username.'] } }]);
  }
});

test('an invalid phone number is refused', async () => {
  const { status, body } = await here.post(messageEvent({ phone_number: 'call me' }));
  assert.deepEqual([status, body], [400, { chat: { phone_number: ['Enter a valid phone number.'] } }]);
});

test('a template must be approved and have all variables, and its text is stored', async () => {
  await seedChannel(sql, here.projectId, 'Whatsapp');
  for (const [pid, approval] of [
    ['welcome', 'approved'],
    ['draft', 'pending'],
  ] as const) {
    await sql`
      insert into templates (project_id, pid, body, variables, language, approval, created_at)
      values (${here.projectId}, ${pid}, 'Hi {{name}}', '{name}', 'en', ${approval}, ${noon})`;
  }
  const send = (whatsapp_template: object) =>
    here.post(messageEvent({ phone_number: phone }, { type: 'whatsapp_template', whatsapp_template }));
  const draft = await send({ template_id: 'draft' });
  const incomplete = await send({ template_id: 'welcome', template_variables: {} });
  const right = await send({ template_id: 'welcome', template_variables: { name: 'Ann' } });
  assert.deepEqual(draft, {
    status: 400,
    body: { message: { whatsapp_template: { template_id: ['Object with pid=draft does not exist.'] } } },
  });
  assert.deepEqual(incomplete.body, {
    message: { whatsapp_template: { template_variables: { name: ['This field is required.'] } } },
  });
  assert.equal(right.status, 200);
  const [message] = await sql`select content, rendered from messages where id = ${right.body.message_uuid}`;
  assert.deepEqual(message?.content, {
    whatsapp_template: { template_id: 'welcome', template_variables: { name: 'Ann' } },
  });
  assert.deepEqual(message?.rendered, {
    type: 'whatsapp_template',
    text: 'Hi Ann',
    template: { name: 'welcome', language: 'en', variables: [{ name: 'name', value: 'Ann' }] },
  });
});
