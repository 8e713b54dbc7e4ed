import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { addTag } from '../../clients/profiles/dictionary.ts';
import { importScenario } from '../../scenarios/import.ts';

const path = '/api/partners/stream/';
const unknown = '018f0000-0000-7000-8000-000000000000';
const clock = manualClock();
// Without a worker the messages stay as they were queued.
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;
const partner = await createPartner({ after }, patchbay);
const stranger = await createPartner({ after }, patchbay);
const { chat, profile } = await partner.client('ann', { phone: '+79991234567' });
const { chat: strangersChat } = await stranger.client('bob');

const content = { type: 'TEXT', text: 'Hello' };
const payload = { chat: { uuid: chat }, content };
const task = { type: 'regular_message', payload };

await importScenario(context, {
  projectId: partner.projectId,
  file: Buffer.from(JSON.stringify({ name: 'Welcome', steps: [{ id: 'bye', type: 'end' }] })),
});

// Every test has all places of a second to itself.
beforeEach(() => clock.advance(1000));

const post = (body: unknown, headers: Record<string, string> = partner.token) =>
  call('POST', path, { headers, body });
const many = (count: number, body: unknown = task) =>
  Promise.all(Array.from({ length: count }, () => post(body)));
const read = async (uuid: string) =>
  (await call('GET', `/api/partners/push-messages/${uuid}/`, { headers: partner.key })).body;
const row = async (uuid: string) => {
  const [found] = await context.sql`select * from messages where id = ${uuid}`;
  return found;
};

test('a task is answered with its uuid only, and can be read as a push message', async () => {
  const { status, body } = await post(task);
  assert.equal(status, 201);
  assert.deepEqual(body, { uuid: body.uuid });
  assert.deepEqual(await read(body.uuid), {
    uuid: body.uuid,
    chat: { uuid: chat, platform: 'API_Messenger' },
    state: { code: 'PENDING', detail: '' },
    content,
    launch_at: null,
    created_at: clock.now().toISOString(),
    sent_at: null,
    delivered_at: null,
    read_at: null,
  });
});

test('a priority message goes into the lane before the regular one', async () => {
  const { body: regular } = await post(task);
  const { body: priority } = await post({ ...task, type: 'priority_message' });
  assert.deepEqual([(await row(regular.uuid))?.lane, (await row(priority.uuid))?.lane], [1, 0]);
});

test('everything that a push message can carry is stored', async () => {
  const { body } = await post({
    type: 'priority_message',
    payload: {
      profile: { phone_number: '+79991234567' },
      content: { type: 'NODE', node: { name: 'Welcome' }, get_params: { order: 7 } },
      campaign: { uuid: unknown, name: 'Autumn' },
      launch_at: '2026-12-01T10:20:59Z',
      is_force: true,
      tag: 'news',
    },
  });
  const found = await row(body.uuid);
  assert.deepEqual(
    [found?.source, found?.campaign_name, found?.is_force, found?.tag, found?.application_id],
    ['stream', 'Autumn', true, 'news', partner.applicationId],
  );
  const { content, launch_at, chat: recipient } = await read(body.uuid);
  assert.deepEqual(content, { type: 'NODE', node: { name: 'Welcome' }, get_params: { order: 7 } });
  assert.deepEqual([launch_at, recipient.uuid], ['2026-12-01T10:20:00.000Z', chat]);
});

const required = ['This field is required.'];
const bodies: [string, unknown, unknown][] = [
  ['an empty body', {}, { type: required, payload: required }],
  ['an unknown type', { ...task, type: 'bulk' }, { type: ['"bulk" is not a valid choice.'] }],
  ['a payload that is none', { ...task, payload: null }, { payload: ['This field may not be null.'] }],
  ['an empty payload', { ...task, payload: {} }, { payload: { content: required } }],
  [
    'nobody to send it to',
    { ...task, payload: { content } },
    { payload: { non_field_errors: ['Either chat or profile is required.'] } },
  ],
  [
    'a malformed uuid',
    { ...task, payload: { ...payload, chat: { uuid: 'x' } } },
    { payload: { chat: { uuid: ['Must be a valid UUID.'] } } },
  ],
  [
    'a text without text',
    { ...task, payload: { ...payload, content: { type: 'TEXT' } } },
    { payload: { content: { text: required } } },
  ],
  [
    'an unknown scenario',
    { ...task, payload: { ...payload, content: { type: 'NODE', node: { name: 'Nope' } } } },
    { payload: { content: { node: { name: ['Object with name=Nope does not exist.'] } } } },
  ],
  [
    'an unknown scenario for an unknown chat',
    { ...task, payload: { chat: { uuid: unknown }, content: { type: 'NODE', node: { name: 'Nope' } } } },
    { payload: { content: { node: { name: ['Object with name=Nope does not exist.'] } } } },
  ],
  [
    'content for another messenger',
    { ...task, payload: { ...payload, content: { type: 'WHATSAPP_TEXT', text: 'x' } } },
    { payload: { content: { type: ['WHATSAPP_TEXT cannot be sent to a chat in API_Messenger.'] } } },
  ],
];

for (const [name, body, answer] of bodies) {
  test(`${name} is refused at its place`, async () => {
    const { status, body: refusal } = await post(body);
    assert.deepEqual([status, refusal], [400, answer]);
  });
}

const noChat = 'Chat not found.';
const noProfile = 'Profile not found.';
const recipients: [string, object, string][] = [
  ['an unknown chat', { chat: { uuid: unknown } }, noChat],
  ['a stranger’s chat', { chat: { uuid: strangersChat } }, noChat],
  ['an unknown Telegram id', { chat: { telegram_id: 12345 } }, noChat],
  ['an unknown profile', { profile: { uuid: unknown } }, noProfile],
  ['an unknown phone number', { profile: { phone_number: '+79990000000' } }, noProfile],
  ['a chat of another profile', { chat: { uuid: chat }, profile: { external_id: 'x' } }, noProfile],
];

for (const [name, recipient, detail] of recipients) {
  test(`${name} is accepted, and undelivered at once`, async () => {
    const { status, body } = await post({ ...task, payload: { ...recipient, content } });
    assert.equal(status, 201, JSON.stringify(body));
    const message = await read(body.uuid);
    assert.deepEqual(message.chat, { uuid: null, platform: null });
    assert.deepEqual(message.state, { code: 'UNDELIVERED', detail });
  });
}

test('a profile without a suitable chat is accepted, and undelivered at once', async () => {
  const { status, body } = await post({
    ...task,
    payload: { profile: { uuid: profile }, content: { type: 'WHATSAPP_TEXT', text: 'Hello' } },
  });
  assert.equal(status, 201);
  assert.deepEqual((await read(body.uuid)).state, { code: 'UNDELIVERED', detail: noChat });
});

test('only a token is accepted: everything else is 403', async () => {
  const refused: [Record<string, string>, string][] = [
    [{}, 'Authentication credentials were not provided.'],
    [partner.key, 'Authentication credentials were not provided.'],
    [{ authorization: 'Bearer nope' }, 'Incorrect authentication credentials.'],
  ];
  for (const [headers, detail] of refused) {
    const answer = await post('{', headers);
    assert.deepEqual([answer.status, answer.body], [403, { detail }]);
    assert.equal(answer.headers.get('www-authenticate'), null);
  }
});

test('the twenty-first in a second is 429, with the time to retry', async () => {
  const statuses = (await many(20)).map(({ status }) => status);
  assert.deepEqual(statuses, Array<number>(20).fill(201));
  const { status, body, headers } = await post(task);
  assert.equal(status, 429);
  assert.deepEqual(body, { detail: 'Request was throttled. Expected available in 1 second.' });
  assert.equal(headers.get('retry-after'), '1');
  clock.advance(1000);
  assert.equal((await post(task)).status, 201);
});

test('both types and unknown recipients share the twenty places', async () => {
  await many(10);
  await many(5, { ...task, type: 'priority_message' });
  await many(5, { ...task, payload: { chat: { uuid: unknown }, content } });
  assert.equal((await post({ ...task, type: 'priority_message' })).status, 429);
});

test('twenty a second, evenly spaced, are never refused', async () => {
  for (let n = 0; n < 60; n += 1) {
    assert.equal((await post(task)).status, 201);
    clock.advance(50);
  }
});

test('refused calls take no place: credentials, bodies, the rate itself', async () => {
  await many(19);
  for (let n = 0; n < 5; n += 1) {
    await post(task, partner.key);
    await post('{');
    await post({ ...task, type: 'bulk' });
    await post({ ...task, payload: { content } });
    await post({ ...task, payload: { ...payload, content: { type: 'NODE', node: { name: 'Nope' } } } });
  }
  assert.equal((await post(task)).status, 201);
  assert.equal((await post(task)).status, 429);
});

test('projects do not share their rate limit', async () => {
  await many(21);
  const body = { ...task, payload: { ...payload, chat: { uuid: strangersChat } } };
  assert.equal((await post(body, stranger.token)).status, 201);
});

test('a push message takes no place', async () => {
  await many(20);
  const push = await call('POST', '/api/partners/push-messages/', { headers: partner.token, body: payload });
  assert.equal(push.status, 201);
});

test('a task that is refused by the rate limit has done nothing', async () => {
  await addTag(context, { projectId: partner.projectId, name: 'vip' });
  const tagged = { ...task, payload: { content, profile: { uuid: profile, tags: ['vip'] } } };
  const tags = async () => (await context.sql`select tags from profiles where id = ${profile}`)[0]?.tags;
  await many(20);
  const before = await context.sql`select count(*) from messages`;
  assert.equal((await post(tagged)).status, 429);
  assert.deepEqual(await tags(), []);
  assert.deepEqual(await context.sql`select count(*) from messages`, before);
  clock.advance(1000);
  assert.equal((await post(tagged)).status, 201);
  assert.deepEqual(await tags(), ['vip']);
});

test('a repeated key gets the first answer, and takes no place', async () => {
  const keyed = (key: string) => post(task, { ...partner.token, 'idempotency-key': key });
  const first = await keyed('order-17');
  await many(19);
  const again = await keyed('order-17');
  assert.deepEqual([again.status, again.body], [201, first.body]);
  assert.equal(again.headers.get('idempotent-replay'), 'true');
  const { body: list } = await call('GET', '/api/partners/push-messages/?limit=100', {
    headers: partner.key,
  });
  assert.equal(list.results.filter(({ uuid }: { uuid: string }) => uuid === first.body.uuid).length, 1);
});

test('a key whose first use was refused by the rate limit can be used again', async () => {
  const keyed = () => post(task, { ...partner.token, 'idempotency-key': 'order-18' });
  await many(20);
  assert.equal((await keyed()).status, 429);
  clock.advance(1000);
  const { status, headers } = await keyed();
  assert.deepEqual([status, headers.get('idempotent-replay')], [201, null]);
});

test("a task's creation time is that of its place, which a slightly early call waits for", async () => {
  await many(20);
  const first = clock.now().getTime();
  clock.advance(960);
  const { body } = await post(task);
  assert.equal((await read(body.uuid)).created_at, new Date(first + 1000).toISOString());
});
