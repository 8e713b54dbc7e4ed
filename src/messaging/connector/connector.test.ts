import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { messageEvent, startConnector } from '../../../test/connector-harness.ts';
import { announced, noon, seedChannel, seedChat, seedProfile } from '../../../test/seed.ts';

const { sql, call, integrate, project } = await startConnector({ after });
const unknown = '0190a1b2-0000-7000-8000-0000000000ff';

let here: Awaited<ReturnType<typeof project>>;
let chatId: string;
let profileId: string;

beforeEach(async () => {
  here = await project();
  profileId = await seedProfile(sql, here.projectId);
  chatId = await seedChat(sql, here.projectId, { channelId: here.channelId, profileId });
});

const messages = () => sql`select * from messages where project_id = ${here.projectId} order by id`;
const sessions = () => sql`select * from sessions where project_id = ${here.projectId} order by id`;

test('a message is queued in the chat, and answered with its ids', async () => {
  const { status, body } = await here.post(messageEvent({ uuid: chatId }, { external_id: 'crm-1' }));
  const [message, ...others] = await messages();
  assert.equal(status, 200);
  assert.deepEqual(body, {
    status: 'ok',
    chat_uuid: chatId,
    profile_uuid: profileId,
    message_uuid: message?.id,
    external_id: 'crm-1',
  });
  assert.equal(others.length, 0);
  assert.deepEqual(
    [message?.source, message?.state, message?.lane, message?.due_at, message?.channel_id],
    ['connector', 'PENDING', 0, noon, here.channelId],
  );
  assert.deepEqual([message?.content_type, message?.content], ['text', { text: 'hello' }]);
  assert.deepEqual(
    [message?.author_id, message?.author_name, message?.application_id],
    ['0190a1b2-0000-7000-8000-00000000000a', 'Olga', here.applicationId],
  );
});

test('a message opens a session for its sender if none is open, with the variables of the chat', async () => {
  await here.post(messageEvent({ uuid: chatId, variables: { order: 7, city: 'Bergen' } }));
  await here.post(messageEvent({ uuid: chatId, variables: { order: 8 } }));
  const [session, ...others] = await sessions();
  assert.equal(others.length, 0);
  assert.deepEqual([session?.operator_name, session?.context], ['Olga', { order: 8, city: 'Bergen' }]);
  const [chat] = await sql`select variables from chats where id = ${chatId}`;
  assert.deepEqual(chat?.variables, { order: 8, city: 'Bergen' });
  for (const message of await messages()) assert.equal(message.session_id, session?.id);
  const events = await announced(sql, here.endpointId);
  assert.deepEqual(
    events.map(([type]) => type),
    ['session_updated'],
  );
});

test("an operator's reply is announced to all integrations except the one that sent it", async () => {
  const other = await integrate(here.projectId);
  const [operator] = await sql`
    insert into operators (project_id, id, role, email, name, avatar, created_at)
    values (${here.projectId}, ${unknown}, 'operator', 'olga@shop.example', 'Olga P.', 'https://shop.example/o.png', ${noon})
    returning id`;
  await here.post(messageEvent({ uuid: chatId }, {}, { sender: { uuid: operator?.id } }));
  assert.deepEqual(
    (await announced(sql, here.endpointId)).map(([type]) => type),
    ['session_updated'],
  );
  const [message] = await messages();
  assert.deepEqual((await announced(sql, other.endpointId))[1], [
    'operator_replied',
    {
      chat: { uuid: chatId, platform: 'API_Messenger', name: null, phone: null, avatar: null },
      profile: { uuid: profileId },
      message: { uuid: message?.id, type: 'text', text: 'hello', external_id: null },
      session: {
        title: '',
        context: {},
        team: null,
        operator: { uuid: unknown, name: 'Olga P.', avatar: 'https://shop.example/o.png' },
      },
    },
  ]);
});

test("another project's operator is unknown", async () => {
  const there = await project();
  await sql`
    insert into operators (project_id, id, role, email, name, created_at)
    values (${there.projectId}, ${unknown}, 'operator', 'eve@elsewhere.example', 'Eve', ${noon})`;
  await here.post(messageEvent({ uuid: chatId }, {}, { sender: { uuid: unknown } }));
  assert.equal((await messages())[0]?.author_name, '');
});

test('a repeated external id gets the first answer, and does nothing again', async () => {
  const first = await here.post(messageEvent({ uuid: chatId }, { external_id: 'crm-1' }));
  await here.post(messageEvent({ uuid: chatId }, {}, { event: 'session_closed' }));
  const chat = { uuid: chatId, variables: { order: 7 } };
  const second = await here.post(messageEvent(chat, { external_id: 'crm-1', text: 'changed' }));
  assert.deepEqual(second, first);
  assert.deepEqual([(await messages()).length, (await sessions()).length], [1, 1]);
  assert.deepEqual((await sql`select variables from chats where id = ${chatId}`)[0]?.variables, {});
});

test('twenty concurrent calls with the same external id make one message', async () => {
  const other = await integrate(here.projectId);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => here.post(messageEvent({ uuid: chatId }, { external_id: 'crm-1' }))),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(answers.map(({ body }) => body.message_uuid)).size, 1);
  assert.deepEqual([(await messages()).length, (await sessions()).length], [1, 1]);
  assert.equal((await announced(sql, other.endpointId)).length, 2);
});

test('each integration has its own external ids', async () => {
  const other = await integrate(here.projectId);
  const first = await here.post(messageEvent({ uuid: chatId }, { external_id: 'crm-1' }));
  const second = await other.post(messageEvent({ uuid: chatId }, { external_id: 'crm-1' }));
  assert.notEqual(second.body.message_uuid, first.body.message_uuid);
});

test('an Idempotency-Key makes one message too', async () => {
  const key = { 'idempotency-key': 'once' };
  const first = await here.post(messageEvent({ uuid: chatId }), key);
  const second = await here.post(messageEvent({ uuid: chatId }), key);
  assert.deepEqual(second, first);
  assert.equal((await messages()).length, 1);
});

test('a note is stored in the chat, and nothing is sent', async () => {
  const event = messageEvent(
    { uuid: chatId },
    {},
    { event: 'note_created', message: null, note: { text: 'Rude.' } },
  );
  const { status, body } = await here.post(event);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    status: 'ok',
    chat_uuid: chatId,
    profile_uuid: profileId,
    message_uuid: null,
    external_id: null,
  });
  const [note] = await sql`select chat_id, author_name, text from notes where project_id = ${here.projectId}`;
  assert.deepEqual(note, { chat_id: chatId, author_name: 'Olga', text: 'Rude.' });
  assert.equal((await messages()).length, 0);
});

test('session_closed closes the session with its category and theme, and closing none is no error', async () => {
  const close = messageEvent(
    { uuid: chatId },
    {},
    { event: 'session_closed', message: undefined, session: { category_name: 'Sale', theme_name: 'Shoes' } },
  );
  await here.post(messageEvent({ uuid: chatId }));
  for (const attempt of [1, 2]) {
    const { status, body } = await here.post(close);
    assert.deepEqual([status, body.chat_uuid, body.message_uuid], [200, chatId, null], `attempt ${attempt}`);
  }
  const [session] = await sessions();
  assert.deepEqual(
    [session?.category_name, session?.theme_name, session?.closed_at],
    ['Sale', 'Shoes', noon],
  );
  await here.post(messageEvent({ uuid: chatId }));
  assert.equal((await sessions()).length, 2);
});

test('closing the session of a number without a chat opens none, and answers with nulls', async () => {
  await seedChannel(sql, here.projectId, 'Whatsapp');
  const { status, body } = await here.post(
    messageEvent({ phone_number: '+12015550123' }, {}, { event: 'session_closed' }),
  );
  assert.deepEqual([status, body.chat_uuid, body.profile_uuid], [200, null, null]);
  assert.equal((await sql`select id from chats where project_id = ${here.projectId}`).length, 1);
});

const nobody = { chat: { uuid: ['Object with uuid=0190a1b2-0000-7000-8000-0000000000ff does not exist.'] } };
const required = ['This field is required.'];

const refusals: [name: string, change: (event: Record<string, unknown>) => object, fields: object][] = [
  ['no event', ({ event, ...rest }) => rest, { event: required }],
  [
    'an unknown event',
    (event) => ({ ...event, event: 'dance' }),
    { event: ['"dance" is not a valid choice.'] },
  ],
  ['no chat', ({ chat, ...rest }) => rest, { chat: required }],
  ['an empty chat', (event) => ({ ...event, chat: {} }), { chat: { uuid: required } }],
  ['no uuid', (event) => ({ ...event, chat: { uuid: 'x' } }), { chat: { uuid: ['Must be a valid UUID.'] } }],
  ['an unknown chat', (event) => ({ ...event, chat: { uuid: unknown } }), nobody],
  ['no sender', ({ sender, ...rest }) => rest, { sender: required }],
  [
    'a sender’s name of several lines',
    (event) => ({ ...event, sender: { name: 'Olga\r\nBcc: a@b.test' } }),
    { sender: { name: ['Enter one line, without control characters.'] } },
  ],
  ['no timestamp', ({ timestamp, ...rest }) => rest, { timestamp: required }],
  [
    'a timestamp that is text',
    (event) => ({ ...event, timestamp: '1763640000000' }),
    { timestamp: ['A valid integer is required.'] },
  ],
  ['no message', ({ message, ...rest }) => rest, { message: required }],
  ['a null message', (event) => ({ ...event, message: null }), { message: required }],
  ['no type', (event) => ({ ...event, message: { text: 'hi' } }), { message: { type: required } }],
  [
    'an unknown type',
    (event) => ({ ...event, message: { type: 'song' } }),
    { message: { type: ['"song" is not a valid choice.'] } },
  ],
  ['no text', (event) => ({ ...event, message: { type: 'text' } }), { message: { text: required } }],
  [
    'a blank text',
    (event) => ({ ...event, message: { type: 'text', text: '' } }),
    { message: { text: ['This field may not be blank.'] } },
  ],
  [
    'no url of an image',
    (event) => ({ ...event, message: { type: 'image' } }),
    { message: { url: required } },
  ],
  [
    'a url that is none',
    (event) => ({ ...event, message: { type: 'document', url: 'ftp://x/y' } }),
    { message: { url: ['Enter a valid URL.'] } },
  ],
  [
    'a url into the inner network',
    (event) => ({ ...event, message: { type: 'image', url: 'http://192.168.1.1/a.png' } }),
    { message: { url: ['The host 192.168.1.1 is not on the public internet.'] } },
  ],
  [
    'no template',
    (event) => ({ ...event, message: { type: 'whatsapp_template' } }),
    { message: { whatsapp_template: required } },
  ],
  [
    'a type that the chat cannot take',
    (event) => ({ ...event, message: { type: 'whatsapp_text', text: 'hi' } }),
    { message: { type: ['whatsapp_text cannot be sent to a chat in API_Messenger.'] } },
  ],
  ['no note', (event) => ({ ...event, event: 'note_created' }), { note: required }],
  [
    'a note without text',
    (event) => ({ ...event, event: 'note_created', note: {} }),
    { note: { text: required } },
  ],
];

for (const [name, change, fields] of refusals) {
  test(`${name} is refused on its field, and nothing is stored`, async () => {
    const { status, body } = await here.post(change(messageEvent({ uuid: chatId })));
    assert.deepEqual([status, body], [400, fields]);
    assert.deepEqual([(await messages()).length, (await sessions()).length], [0, 0]);
  });
}

test("another project's chat does not exist", async () => {
  const there = await project();
  const theirs = await seedChat(sql, there.projectId, { channelId: there.channelId });
  for (const event of ['message_created', 'note_created', 'session_closed']) {
    const { status, body } = await here.post(
      messageEvent({ uuid: theirs }, {}, { event, note: { text: 'hi' } }),
    );
    assert.deepEqual(
      [status, body],
      [400, { chat: { uuid: [`Object with uuid=${theirs} does not exist.`] } }],
    );
  }
});

test('a call without a token, or with a wrong one, is refused', async () => {
  const event = messageEvent({ uuid: chatId });
  const [none, wrong] = [await call({}, event), await call({ authorization: 'Bearer wrong' }, event)];
  assert.deepEqual(
    [none, wrong],
    [
      { status: 403, body: { detail: 'Authentication credentials were not provided.' } },
      { status: 403, body: { detail: 'Incorrect authentication credentials.' } },
    ],
  );
});
