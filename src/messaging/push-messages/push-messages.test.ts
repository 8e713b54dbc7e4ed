import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { addAttribute, addTag } from '../../clients/profiles/dictionary.ts';
import { createTurns } from '../../platform/pump/turns.ts';
import { importScenario } from '../../scenarios/import.ts';
import { learnPhone } from '../chats/learn-phone.ts';
import { findChat } from '../chats/store.ts';
import { addTemplate } from '../templates/templates.ts';
import { pushAcceptance } from './accept.ts';

const path = '/api/partners/push-messages/';
const unknown = '018f0000-0000-7000-8000-000000000000';
const clock = manualClock();
// Without a worker the messages stay as they were queued.
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;
const partner = await createPartner({ after }, patchbay);
const stranger = await createPartner({ after }, patchbay);
const { chat, profile } = await partner.client('ann', { phone: '+79991234567' });
const text = { type: 'TEXT', text: 'Hello' } as const;

await importScenario(context, {
  projectId: partner.projectId,
  file: Buffer.from(JSON.stringify({ name: 'Welcome', steps: [{ id: 'bye', type: 'end' }] })),
});
await addTemplate(context, {
  projectId: partner.projectId,
  pid: 'order',
  body: 'Order {{number}} is ready',
  language: 'en',
  approval: 'approved',
});

const post = (body: unknown, headers: Record<string, string> = partner.key) =>
  call('POST', path, { headers, body });
const get = (uuid: string, headers = partner.key) => call('GET', `${path}${uuid}/`, { headers });

test('a valid message is answered with the whole PushMessage, PENDING', async () => {
  const { status, body, headers } = await post({ chat: { uuid: chat }, content: text });
  assert.equal(status, 201);
  assert.deepEqual(body, {
    uuid: body.uuid,
    chat: { uuid: chat, platform: 'API_Messenger' },
    state: { code: 'PENDING', detail: '' },
    content: text,
    launch_at: null,
    created_at: clock.now().toISOString(),
    sent_at: null,
    delivered_at: null,
    read_at: null,
  });
  assert.ok(headers.get('x-request-id'));
  assert.deepEqual((await get(body.uuid)).body, body);
});

test('a token works as well as a key', async () => {
  assert.equal((await post({ chat: { uuid: chat }, content: text }, partner.token)).status, 201);
});

test('every field of the content is echoed', async () => {
  const content = {
    type: 'NODE',
    node: { name: 'Welcome' },
    get_params: { order: { number: 7, items: ['a', null] } },
  };
  const { status, body } = await post({ chat: { uuid: chat }, content });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual(body.content, content);
  assert.deepEqual((await get(body.uuid)).body.content, content);
});

test('unknown fields are ignored, in the content too', async () => {
  const { status, body } = await post({
    chat: { uuid: chat },
    content: { ...text, colour: 'red' },
    colour: 'red',
  });
  assert.equal(status, 201);
  assert.deepEqual(body.content, text);
});

test('a launch time is cut to its minute and stored', async () => {
  const { body } = await post({
    chat: { uuid: chat },
    content: text,
    launch_at: '2026-12-01T10:20:59.5+03:00',
  });
  assert.equal(body.launch_at, '2026-12-01T07:20:00.000Z');
});

const recipients: [string, object, number, unknown?][] = [
  ['a chat by uuid', { chat: { uuid: chat } }, 201],
  ['a chat by uuid in capitals', { chat: { uuid: chat.toUpperCase() } }, 201],
  ['a profile by uuid', { profile: { uuid: profile } }, 201],
  ['a profile by phone number', { profile: { phone_number: '+79991234567' } }, 201],
  ['a chat and its profile', { chat: { uuid: chat }, profile: { uuid: profile } }, 201],
  ['an unknown chat', { chat: { uuid: unknown } }, 404, { detail: 'Chat not found.' }],
  ['an unknown Telegram id', { chat: { telegram_id: 12345 } }, 404, { detail: 'Chat not found.' }],
  ['an unknown Telegram name', { chat: { telegram_username: 'nobody' } }, 404, { detail: 'Chat not found.' }],
  ['an unknown VK id', { chat: { vkontakte_id: 1 } }, 404, { detail: 'Chat not found.' }],
  ['an unknown Max id', { chat: { max_id: 1 } }, 404, { detail: 'Chat not found.' }],
  ['an unknown profile', { profile: { uuid: unknown } }, 404, { detail: 'Profile not found.' }],
  ['an unknown phone', { profile: { phone_number: '+79990000000' } }, 404, { detail: 'Profile not found.' }],
  ['an unknown external id', { profile: { external_id: 'x' } }, 404, { detail: 'Profile not found.' }],
  ['a chat of another profile', { chat: { uuid: chat }, profile: { external_id: 'x' } }, 404],
  ['nobody', {}, 400, { non_field_errors: ['Either chat or profile is required.'] }],
  [
    'a chat with a malformed uuid',
    { chat: { uuid: 'x' } },
    400,
    { chat: { uuid: ['Must be a valid UUID.'] } },
  ],
  [
    'a Telegram id that is text',
    { chat: { telegram_id: '5' } },
    400,
    { chat: { telegram_id: ['A valid integer is required.'] } },
  ],
];

for (const [name, recipient, status, body] of recipients) {
  test(`recipient: ${name} → ${status}`, async () => {
    const answer = await post({ ...recipient, content: text });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    if (body) assert.deepEqual(answer.body, body);
  });
}

const required = ['This field is required.'];
const contents: [string, unknown, number, unknown?][] = [
  ['none', undefined, 400, { content: required }],
  ['no type', {}, 400, { content: { type: required } }],
  ['an unknown type', { type: 'FAX' }, 400, { content: { type: ['"FAX" is not a valid choice.'] } }],
  ['a text without text', { type: 'TEXT' }, 400, { content: { text: required } }],
  ['an empty text', { type: 'TEXT', text: '' }, 400, { content: { text: ['This field may not be blank.'] } }],
  ['a text with a NUL', { type: 'TEXT', text: 'a\u0000b' }, 400],
  ['a node without a node', { type: 'NODE' }, 400, { content: { node: required } }],
  [
    'an unknown scenario',
    { type: 'NODE', node: { name: 'Nope' } },
    400,
    { content: { node: { name: ['Object with name=Nope does not exist.'] } } },
  ],
  ['a known scenario', { type: 'NODE', node: { name: 'Welcome' } }, 201],
  ['a WhatsApp text for another messenger', { type: 'WHATSAPP_TEXT', text: 'x' }, 400],
];

for (const [name, content, status, body] of contents) {
  test(`content: ${name} → ${status}`, async () => {
    const answer = await post({ chat: { uuid: chat }, content });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    if (body) assert.deepEqual(answer.body, body);
  });
}

test('a template is checked for its pid and its variables before anything is queued', async () => {
  const { sql } = context;
  const id = context.newId();
  await sql`
    insert into channels (project_id, id, platform, name, settings, sealed_settings, created_at)
    values (${partner.projectId}, ${id}, 'Whatsapp', 'WhatsApp', '{}', '', ${clock.now()})`;
  const send = (content: object) =>
    post({ profile: { uuid: profile }, content: { type: 'WHATSAPP_TEMPLATE', ...content } });
  assert.deepEqual((await send({})).body, { content: { whatsapp_template: required } });
  assert.deepEqual((await send({ whatsapp_template: { pid: 'nope' } })).body, {
    content: { whatsapp_template: { pid: ['Object with pid=nope does not exist.'] } },
  });
  assert.deepEqual((await send({ whatsapp_template: { pid: 'order' } })).body, {
    content: { whatsapp_template_variables: { number: required } },
  });
  const { status, body } = await send({
    whatsapp_template: { pid: 'order' },
    whatsapp_template_variables: { number: '17' },
  });
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(body.chat.platform, 'Whatsapp');
  assert.deepEqual(body.content.whatsapp_template_variables, { number: '17' });
  const [row] = await sql`select rendered from messages where id = ${body.uuid}`;
  assert.deepEqual(row?.rendered, {
    type: 'whatsapp_template',
    text: 'Order 17 is ready',
    template: { name: 'order', language: 'en', variables: [{ name: 'number', value: '17' }] },
  });
});

test('a template may name an existing scenario that continues when it is answered', async () => {
  const send = (name: string) =>
    post({
      profile: { uuid: profile },
      content: {
        type: 'WHATSAPP_TEMPLATE',
        whatsapp_template: { pid: 'order' },
        whatsapp_template_variables: { number: '17' },
        node: { name },
      },
    });
  assert.deepEqual((await send('nope')).body, {
    content: { node: { name: ['Object with name=nope does not exist.'] } },
  });
  const { status, body } = await send('Welcome');
  assert.equal(status, 201);
  assert.deepEqual(body.content.node, { name: 'Welcome' });
});

test('a tag has at most 64 characters, counted as code points', async () => {
  const tag = '🙂'.repeat(64);
  assert.equal((await post({ chat: { uuid: chat }, content: text, tag })).status, 201);
  assert.deepEqual((await post({ chat: { uuid: chat }, content: text, tag: `${tag}!` })).body, {
    tag: ['Ensure this field has no more than 64 characters.'],
  });
});

test('tags and attributes are applied if the project defines them, and never created', async () => {
  await addTag(context, { projectId: partner.projectId, name: 'vip' });
  await addAttribute(context, { projectId: partner.projectId, name: 'city' });
  await post({
    profile: { uuid: profile, tags: ['vip', 'unheard'], attrs: { city: 'Riga', unheard: 1 } },
    content: text,
  });
  const [row] = await context.sql`select tags, attrs from profiles where id = ${profile}`;
  assert.deepEqual({ ...row }, { tags: ['vip'], attrs: { city: 'Riga' } });
});

test('tags of a client whose profile is merged meanwhile go to the profile that stays', async () => {
  const { sql } = context;
  const { projectId } = partner;
  const [here, there] = [await partner.client('moving'), await partner.client('staying')];
  const phone = '+12025550188';
  await sql`update profiles set phone_number = ${phone} where id = ${there.profile}`;
  const found = await findChat(sql, projectId, here.chat);
  assert.ok(found);
  const accept = pushAcceptance(context, createTurns());
  const caller = {
    kind: 'bot_key',
    projectId,
    callerId: projectId,
    applicationId: null,
    name: 'CRM',
  } as const;
  await accept(
    caller,
    context.newId(),
    { content: text, profile: { uuid: here.profile, tags: ['vip'] } },
    {
      source: 'push',
      lane: 0,
      keepsUnreachable: false,
      admit: async () => {
        await learnPhone(context, found, phone, { type: 'channel', name: 'Test' });
        return clock.now();
      },
    },
  );
  const [row] = await sql`select tags from profiles where id = ${there.profile}`;
  assert.deepEqual(row?.tags, ['vip']);
});

test('an unknown, a malformed and a foreign uuid get the same answer', async () => {
  const { body } = await post({ chat: { uuid: chat }, content: text });
  for (const uuid of [unknown, 'x', body.uuid]) {
    const headers = uuid === body.uuid ? stranger.key : partner.key;
    assert.deepEqual(
      [(await get(uuid, headers)).status, (await get(uuid, headers)).body],
      [404, { detail: 'Not found.' }],
    );
    const cancelled = await call('POST', `${path}${uuid}/cancel/`, { headers });
    assert.deepEqual([cancelled.status, cancelled.body], [404, { detail: 'Not found.' }]);
  }
  assert.equal((await get(body.uuid)).body.state.code, 'PENDING');
});

test('another project’s chat is no recipient', async () => {
  assert.equal((await post({ chat: { uuid: chat }, content: text }, stranger.key)).status, 404);
});

test('without valid credentials every call is 401, whatever other errors it has', async () => {
  const refused: Record<string, string>[] = [{}, { 'bot-key': unknown }, { authorization: 'Bearer nope' }];
  for (const headers of refused) {
    for (const [method, address] of [
      ['POST', path],
      ['GET', path],
      ['GET', `${path}x/`],
      ['POST', `${path}x/cancel/`],
    ] as const) {
      const answer = await call(method, address, { headers, body: method === 'POST' ? '{' : undefined });
      assert.equal(answer.status, 401);
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="api"');
    }
  }
});

test('a repeated key with the same body gets the first answer and creates nothing', async () => {
  const request = () =>
    call('POST', path, {
      headers: { ...partner.key, 'idempotency-key': 'order-17' },
      body: { chat: { uuid: chat }, content: text, campaign: { name: 'Once' } },
    });
  const [first, twin] = await Promise.all([request(), request()]);
  const again = await request();
  assert.deepEqual([first.status, twin.status, again.status], [201, 201, 201]);
  assert.deepEqual(twin.body, first.body);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers.get('idempotent-replay'), 'true');
  assert.equal((await call('GET', `${path}?campaign=Once`, { headers: partner.key })).body.count, 1);
});

test('the list is newest first, in pages, with filters', async (t) => {
  const shop = await createPartner(t, patchbay);
  const { chat: one } = await shop.client('one');
  const { chat: two, profile: second } = await shop.client('two');
  const uuids: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const { body } = await call('POST', path, {
      headers: shop.key,
      body: {
        chat: { uuid: n < 3 ? one : two },
        content: text,
        tag: `tag-${n}`,
        campaign: { uuid: unknown, name: 'Autumn' },
      },
    });
    uuids.unshift(body.uuid);
    clock.advance(1000);
  }
  const list = async (query: string) => (await call('GET', path + query, { headers: shop.key })).body;
  const ids = async (query: string) => (await list(query)).results.map(({ uuid }: { uuid: string }) => uuid);

  assert.deepEqual(await ids(''), uuids);
  const page = await list('?limit=2&offset=2&tag=');
  assert.equal(page.count, 5);
  assert.match(page.next, /^https:\/\/patchbay\.test\/api\/partners\/push-messages\/\?.*offset=4/);
  assert.match(page.previous, /limit=2/);
  assert.deepEqual(await ids('?limit=2&offset=2'), uuids.slice(2, 4));
  assert.deepEqual(await ids(`?chat=${two}`), uuids.slice(0, 2));
  assert.deepEqual(await ids(`?profile=${second}`), uuids.slice(0, 2));
  assert.deepEqual(await ids('?tag=tag-0'), uuids.slice(4));
  assert.deepEqual(await ids('?campaign=Autumn'), uuids);
  assert.deepEqual(await ids(`?campaign=${unknown}`), uuids);
  assert.deepEqual(await ids('?state=SENT'), []);
  assert.deepEqual(await ids('?state=PENDING'), uuids);
  const third = (await get(uuids[2] ?? '', shop.key)).body.created_at;
  assert.deepEqual(await ids(`?created_at__gte=${third}`), uuids.slice(0, 3));
  assert.deepEqual(await ids(`?created_at__lte=${third}`), uuids.slice(2));
  const elsewhere = `${third.slice(0, -1)}-23:59`;
  assert.deepEqual(await ids(`?created_at__gte=${elsewhere}`), []);
  assert.deepEqual(await ids(`?created_at__lte=${elsewhere}`), uuids);
  assert.deepEqual(await ids('?created_at__gte=0001-01-01T00:00:00Z'), uuids);
  assert.deepEqual(await ids('?created_at__lte=0001-01-01T00:00:00Z'), []);
  assert.deepEqual(await ids('?created_at__lte=9999-12-31T23:59:59Z'), uuids);
  assert.equal((await call('GET', `${path}?state=LOST`, { headers: shop.key })).status, 400);
});
