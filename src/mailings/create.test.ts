import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { manualClock } from '../../test/clock.ts';
import { createPartner, startPatchbay } from '../../test/harness.ts';
import { blocksOf } from '../../test/plan.ts';
import { wakes } from '../../test/waiting.ts';
import { addTemplate } from '../messaging/templates/templates.ts';
import { saveScenario } from '../scenarios/store.ts';
import { linesOf } from './make.ts';
import { sizesAround } from './store.ts';

const clock = manualClock();
// Without workers: new mailings stay unchanged.
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;
const { sql } = context;
const partner = await createPartner({ after }, patchbay);
const stranger = await createPartner({ after }, patchbay);
const { projectId } = partner;
const path = '/api/partners/mailings/';
const unknown = '018f0000-0000-7000-8000-000000000000';

const scenario = async (owner: string, name: string): Promise<number> =>
  (await saveScenario(sql, { projectId: owner, name, definition: { name }, createdAt: clock.now() })).id;
const welcome = await scenario(projectId, 'Welcome');
await scenario(projectId, 'Prices');
const secret = await scenario(stranger.projectId, 'Secret');
const template = { projectId, body: 'Order {{order}} is {{state}}.', language: 'en' } as const;
await addTemplate(context, { ...template, pid: 'order', approval: 'approved' });
await addTemplate(context, { ...template, pid: 'waiting', approval: 'pending' });
await call('POST', '/api/partners/promocode-groups/', { headers: partner.key, body: { name: 'Spring' } });

const create = (body: unknown, headers = {}) =>
  call('POST', path, { headers: { ...partner.key, ...headers }, body });

const variables = { order: { type: 'GLOBAL', value: '12' }, state: { type: 'GLOBAL', value: 'ready' } };

test('a mailing is returned with every field of the contract', async () => {
  const { status, body } = await create({ name: 'Sale', text: 'Hello' });
  assert.equal(status, 201);
  assert.deepEqual(body, {
    uuid: body.uuid,
    name: 'Sale',
    state: 'planned',
    state_detail: '',
    filter_chats: null,
    filter_used: null,
    content_type: 'TEXT',
    source_type: 'PLATFORM',
    text: 'Hello',
    node: null,
    node_name: null,
    node_get_params: [],
    origin: 'system',
    statistics: {
      count_planned: 0,
      count_sent: 0,
      count_delivered: 0,
      count_undelivered: 0,
      count_read: 0,
      count_clicked: 0,
      count_jumped_url: 0,
      count_replied: 0,
      count_converted: 0,
      count_platforms: {},
    },
    regular_cron: null,
    created_at: '2026-11-20T12:00:00.000Z',
    planned_at: null,
    next_run_at: null,
    finish_by: null,
    completed_at: null,
    duration: null,
    template_whatsapp: null,
    template_variables: null,
    phone_numbers_file: null,
    customer_filter_file: null,
    customer_filter_field: null,
  });
  const read = await call('GET', `${path}${body.uuid}/`, { headers: partner.token });
  assert.deepEqual([read.status, read.body], [200, body]);
});

test('every sent field is stored and returned', async () => {
  const sent = {
    name: 'x'.repeat(80),
    content_type: 'MIXED',
    text: 'Unused',
    node: welcome,
    node_name: 'Prices',
    node_get_params: [
      { name: 'city', value: 'Oslo' },
      { name: 'n', value: '5', type: 'integer' },
    ],
    filter_chats: { all: [{ type: 'attribute', platform: 'Telegram' }, { any: [] }] },
    customer_filter_field: 'EXTERNAL_ID',
    customer_filter_file: 'https://files.test/clients.csv',
    phone_numbers_file: 'https://files.test/phones.xlsx',
    template_whatsapp: 'order',
    template_variables: { order: { type: 'FILE' }, state: { type: 'GLOBAL', value: 'ready' } },
    planned_at: '2026-11-21T10:00:00+02:00',
    regular_cron: '0 12 * * *',
    origin: 'chat_center',
    unknown: 'ignored',
  };
  const { status, body } = await create(sent);
  assert.equal(status, 201, JSON.stringify(body));
  const { unknown: _ignored, ...known } = sent;
  assert.partialDeepStrictEqual(body, {
    ...known,
    // The scenario's id takes precedence over its name.
    node_name: 'Welcome',
    node_get_params: [
      { name: 'city', value: 'Oslo', type: 'string', is_edit: false, param_type: 'GLOBAL' },
      { name: 'n', value: '5', type: 'integer', is_edit: false, param_type: 'GLOBAL' },
    ],
    planned_at: '2026-11-21T08:00:00.000Z',
  });
});

const inferred: [string, object, string][] = [
  ['TEXT', { text: 'Hello' }, 'a text'],
  ['NODE', { node_name: 'Welcome' }, 'a scenario'],
  ['NODE', { node: welcome, text: 'Hello' }, 'a scenario beside a text'],
  ['TEMPLATE_WHATSAPP', { template_whatsapp: 'order', template_variables: variables }, 'a template'],
  [
    'MIXED',
    { template_whatsapp: 'order', template_variables: variables, text: 'Hello' },
    'a template and a text',
  ],
  [
    'MIXED',
    { template_whatsapp: 'order', template_variables: variables, node: welcome },
    'a template and a scenario',
  ],
];

for (const [type, content, words] of inferred) {
  test(`${words}, without a type, is a mailing of ${type}`, async () => {
    const { status, body } = await create({ name: 'Sale', ...content });
    assert.deepEqual([status, body.content_type], [201, type], JSON.stringify(body));
  });
}

const required = ['This field is required.'];
const refused: [string, object, object][] = [
  ['a mailing without a name', { name: undefined }, { name: required }],
  ['an empty name', { name: '' }, { name: ['This field may not be blank.'] }],
  [
    'a name of 81 characters',
    { name: 'é'.repeat(81) },
    { name: ['Ensure this field has no more than 80 characters.'] },
  ],
  ['an unknown type', { content_type: 'SMS' }, { content_type: ['"SMS" is not a valid choice.'] }],
  ['no content', { text: undefined, filter_chats: { all: [] } }, { content_type: required }],
  ['TEXT without a text', { content_type: 'TEXT', text: null }, { text: required }],
  ['NODE without a scenario', { content_type: 'NODE' }, { node: required }],
  [
    'TEMPLATE_WHATSAPP without a template',
    { content_type: 'TEMPLATE_WHATSAPP' },
    { template_whatsapp: required },
  ],
  ['MIXED without a template', { content_type: 'MIXED' }, { template_whatsapp: required }],
  [
    'MIXED with a template alone',
    { content_type: 'MIXED', text: undefined, template_whatsapp: 'order', template_variables: variables },
    { text: required },
  ],
  ['an unknown scenario', { node: 999 }, { node: ['Object with id=999 does not exist.'] }],
  ['another project’s scenario', { node: secret }, { node: [`Object with id=${secret} does not exist.`] }],
  [
    'a number that no scenario can have',
    { node: 2 ** 40 },
    { node: ['Object with id=1099511627776 does not exist.'] },
  ],
  ['an unknown name', { node_name: 'Secret' }, { node_name: ['Object with name=Secret does not exist.'] }],
  [
    'an unknown template',
    { template_whatsapp: 'none' },
    { template_whatsapp: ['Object with pid=none does not exist.'] },
  ],
  [
    'a template that is not approved',
    { template_whatsapp: 'waiting', template_variables: variables },
    { template_whatsapp: ['Object with pid=waiting does not exist.'] },
  ],
  [
    'a template without its variables',
    { template_whatsapp: 'order', template_variables: { order: { type: 'GLOBAL' } } },
    { template_variables: { order: { value: required }, state: required } },
  ],
  [
    'a variable without a text',
    {
      template_whatsapp: 'order',
      template_variables: { ...variables, order: { type: 'GLOBAL', value: ' ' } },
    },
    { template_variables: { order: { value: ['This field may not be blank.'] } } },
  ],
  [
    'a variable of no type',
    { template_whatsapp: 'order', template_variables: { ...variables, order: { type: 'ROW' } } },
    { template_variables: { order: { type: ['"ROW" is not a valid choice.'] } } },
  ],
  ['identifiers without their field', { customer_filter_array: ['1'] }, { customer_filter_field: required }],
  [
    'a file without its field',
    { customer_filter_file: 'https://files.test/a.csv' },
    { customer_filter_field: required },
  ],
  [
    'an unknown field',
    { customer_filter_field: 'EMAIL' },
    { customer_filter_field: ['"EMAIL" is not a valid choice.'] },
  ],
  [
    'an identifier that is no text',
    { customer_filter_field: 'UUID', customer_filter_array: ['1', 2] },
    { customer_filter_array: { 1: ['Not a valid string.'] } },
  ],
  [
    'an identifier of 1,025 characters',
    { customer_filter_field: 'EXTERNAL_ID', customer_filter_array: ['x'.repeat(1025)] },
    { customer_filter_array: { 0: ['Ensure this field has no more than 1024 characters.'] } },
  ],
  [
    '100,001 identifiers',
    { customer_filter_field: 'EXTERNAL_ID', customer_filter_array: Array(100_001).fill('1') },
    { customer_filter_array: ['Ensure this field has no more than 100000 elements.'] },
  ],
  [
    'a file that is not on the web',
    { phone_numbers_file: 'ftp://files.test/a' },
    { phone_numbers_file: ['Enter a valid URL.'] },
  ],
  [
    'an invalid filter',
    { filter_chats: {} },
    { filter_chats: ['A filter is {"all": […]} or {"any": […]}.'] },
  ],
  [
    'a file’s address without end',
    { phone_numbers_file: `https://files.test/${'a'.repeat(8_192)}` },
    { phone_numbers_file: ['Ensure this field has no more than 8192 characters.'] },
  ],
  [
    'more in its answers than its list of identifiers explains',
    {
      filter_chats: { all: [{ type: 'attribute', city__in: Array(600).fill('x'.repeat(1_000)) }] },
      node_get_params: [{ name: 'a', value: 'x'.repeat(65_536) }],
      template_variables: { a: { type: 'GLOBAL', value: 'x'.repeat(65_536) } },
    },
    {
      filter_chats: ['Ensure this field has no more than 524288 characters.'],
      node_get_params: ['Ensure this field has no more than 65536 characters.'],
      template_variables: ['Ensure this field has no more than 65536 characters.'],
    },
  ],
  [
    'texts and parameters that are too large in total',
    { text: 'x'.repeat(40_000), node_get_params: [{ name: 'a', value: 'x'.repeat(40_000) }] },
    { non_field_errors: ['Ensure these fields have no more than 65536 characters in total.'] },
  ],
  [
    'an impossible day',
    { planned_at: '2026-02-30T10:00:00Z' },
    {
      planned_at: [
        'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
      ],
    },
  ],
  ['an empty schedule', { regular_cron: '' }, { regular_cron: ['This field may not be blank.'] }],
  [
    'a schedule that never comes',
    { regular_cron: '0 0 31 2 *' },
    { regular_cron: ['This schedule never comes.'] },
  ],
  ...['* * * * * *', '* * * *', '@daily', '60 * * * *', '? * * * *', 'noon', ' '].map(
    (cron): [string, object, object] => [
      `the schedule "${cron}"`,
      { regular_cron: cron },
      { regular_cron: ['Enter five fields: minute, hour, day of month, month, day of week.'] },
    ],
  ),
  ['an unknown origin', { origin: 'phone' }, { origin: ['"phone" is not a valid choice.'] }],
  [
    'a parameter without a value',
    { node: welcome, node_get_params: [{ name: 'city' }] },
    { node_get_params: { 0: { value: required } } },
  ],
  [
    'a promo code of an unknown group',
    { text: 'Take {{promocode:Spring}} or {{ promocode:Autumn }}' },
    { text: ['There is no group of promo codes called "Autumn".'] },
  ],
];

for (const [words, change, complaint] of refused) {
  test(`${words} is refused`, async () => {
    const { status, body } = await create({ name: 'Sale', text: 'Hello', ...change });
    assert.deepEqual([status, body], [400, complaint]);
  });
}

const dueAt = async (uuid: string) => {
  const [row] = await sql<{ due_at: Date | null }[]>`select due_at from mailings where id = ${uuid}`;
  return row?.due_at?.toISOString() ?? null;
};

const starts: [string, object, string | null][] = [
  ['without an audience stays a draft', {}, null],
  ['without an audience stays a draft whatever its schedule', { regular_cron: '0 9 * * *' }, null],
  [
    'for an empty list has an audience',
    { customer_filter_field: 'UUID', customer_filter_array: [] },
    '2026-11-20T12:00:00.000Z',
  ],
  ['starts at once', { filter_chats: { all: [] } }, '2026-11-20T12:00:00.000Z'],
  [
    'waits for its time',
    { filter_chats: { all: [] }, planned_at: '2026-12-01T00:00:00Z' },
    '2026-12-01T00:00:00.000Z',
  ],
  [
    'starts at once for a time in the past',
    { filter_chats: { all: [] }, planned_at: '2026-01-01T00:00:00Z' },
    '2026-11-20T12:00:00.000Z',
  ],
  [
    'waits for its schedule',
    { filter_chats: { all: [] }, regular_cron: '30 9 * * MON' },
    '2026-11-23T09:30:00.000Z',
  ],
  [
    'begins its schedule no earlier than its time',
    { filter_chats: { all: [] }, regular_cron: '0 12 * * *', planned_at: '2026-12-01T12:00:00Z' },
    '2026-12-01T12:00:00.000Z',
  ],
];

for (const [words, change, due] of starts) {
  test(`a mailing ${words}`, async () => {
    const { body } = await create({ name: 'Sale', text: 'Hello', ...change });
    assert.equal(await dueAt(body.uuid), due);
  });
}

test('100,000 identifiers of the longest kind that 16 MiB hold are accepted, in order', async () => {
  const identifiers = Array.from({ length: 100_000 }, (_, index) => `${index}`.padStart(150, 'x'));
  const { status, body } = await create({
    name: 'Sale',
    text: 'Hello',
    customer_filter_field: 'EXTERNAL_ID',
    customer_filter_array: identifiers,
  });
  assert.equal(status, 201, JSON.stringify(body).slice(0, 200));
  const blocks = await sql<{ last_line: number; identifiers: string[] }[]>`
    select last_line, identifiers from mailing_identifiers where mailing_id = ${body.uuid} order by last_line`;
  assert.deepEqual(
    blocks.flatMap((block) => block.identifiers),
    identifiers,
  );
  assert.equal(blocks.at(-1)?.last_line, 100_000);
});

test('a body of more than 16 MiB is refused', async () => {
  const { status } = await create(`{"name": "${'x'.repeat(16 * 1024 * 1024)}"}`);
  assert.equal(status, 413);
});

test('a file at an address that may not be called is refused at once', async () => {
  const { status, body } = await create({
    name: 'x',
    text: 'x',
    customer_filter_field: 'UUID',
    customer_filter_file: 'http://169.254.169.254/',
    phone_numbers_file: 'http://10.0.0.1/list.xlsx',
  });
  const complaint = (host: string) => [`The host ${host} is not on the public internet.`];
  assert.deepEqual(
    [status, body],
    [400, { customer_filter_file: complaint('169.254.169.254'), phone_numbers_file: complaint('10.0.0.1') }],
  );
});

test('more than a thousand variables or parameters are refused in a few words', async () => {
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, { type: 'FILE' }]));
  const listed = (count: number) => Array(count).fill({ name: 'a', value: '' });
  const tooMany = ['Ensure this field has no more than 1000 elements.'];
  const { status, body } = await create({
    name: 'x',
    template_variables: named(1_001),
    node_get_params: listed(1_001),
  });
  assert.deepEqual([status, body], [400, { template_variables: tooMany, node_get_params: tooMany }]);
  const fits = await create({
    name: 'x',
    text: 'x',
    template_variables: named(1_000),
    node_get_params: listed(1_000),
  });
  assert.equal(fits.status, 201);
});

test('links are stored, unless the project does not track them', async () => {
  const text = 'See https://shop.test/a?b=1, (http://shop.test) or https://{{host}}/x.';
  const linksOf = async () => {
    const { body } = await create({ name: 'Sale', text });
    const [row] = await sql<[{ links: string[] }]>`select links from mailings where id = ${body.uuid}`;
    return row.links;
  };
  assert.deepEqual(await linksOf(), ['https://shop.test/a?b=1', 'http://shop.test']);
  await sql`update projects set tracks_links = false where id = ${projectId}`;
  assert.deepEqual(await linksOf(), []);
});

test('the same key creates one mailing', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { name: 'Once', text: 'Hello' };
  const [first, second] = [await create(body, headers), await create(body, headers)];
  assert.deepEqual([second.status, second.body], [201, first.body]);
  assert.equal(second.headers.get('idempotent-replay'), 'true');
  const [row] = await sql<
    [{ count: number }]
  >`select count(*)::int as count from mailings where name = 'Once'`;
  assert.equal(row.count, 1);
});

test('the list has the project’s own mailings, newest first, in pages', async () => {
  const own = await createPartner({ after }, patchbay);
  const made: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    const { body } = await call('POST', path, { headers: own.token, body: { name, text: 'Hello' } });
    made.unshift(body.uuid);
  }
  await create({ name: 'Of another project', text: 'Hello' });
  const { status, body } = await call('GET', `${path}?limit=2&offset=1`, { headers: own.token });
  assert.equal(status, 200);
  assert.deepEqual([body.count, body.next], [3, null]);
  assert.equal(body.previous, `https://patchbay.test${path}?limit=2`);
  assert.deepEqual(
    body.results.map(({ uuid }: { uuid: string }) => uuid),
    made.slice(1),
  );
});

test('a new mailing and a stop wake the planner', async () => {
  const planned_at = new Date(clock.now().getTime() + 60_000).toISOString();
  let uuid = '';
  const make = async () => {
    uuid = (await create({ name: 'Sale', text: 'Hello', filter_chats: { all: [] }, planned_at })).body.uuid;
  };
  const stop = () => call('POST', `${path}${uuid}/stop/`, { headers: partner.key });
  assert.equal(await wakes(context.wake, 'planning', make), true);
  assert.equal(await wakes(context.wake, 'planning', stop), true);
  assert.equal(await wakes(context.wake, 'planning', stop), false);
});

test('another project’s mailing is as unknown as a random one', async () => {
  const { body } = await create({ name: 'Sale', text: 'Hello' });
  for (const [method, rest] of [
    ['GET', ''],
    ['POST', 'calculate/'],
    ['POST', 'stop/'],
  ] as const) {
    for (const uuid of [body.uuid, unknown, 'nonsense']) {
      const answer = await call(method, `${path}${uuid}/${rest}`, { headers: stranger.key });
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Not found.' }]);
    }
  }
});

test('without credentials every call is refused', async () => {
  for (const [method, rest] of [
    ['GET', ''],
    ['POST', ''],
    ['GET', `${unknown}/`],
    ['POST', `${unknown}/stop/`],
  ] as const) {
    const { status, headers } = await call(method, path + rest);
    assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer realm="api"']);
  }
});

test('other requests are served while a long list of phone numbers is read', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const numbers = Array.from({ length: 5_000 }, (_, index) => `+1202555${String(index).padStart(4, '0')}`);
  const lines = await linesOf(
    { name: 'Many', customer_filter_field: 'PHONE_NUMBER', customer_filter_array: numbers },
    null,
  );
  clearImmediate(immediate);
  assert.equal(lines.length, 5_000);
  assert.ok(turns >= 9, `${turns} turns of the event loop`);
});

test('a page of mailings stays small: only so many filters near each other are large', async () => {
  const large = { all: [{ type: 'attribute', city__in: Array(500).fill('x'.repeat(1_000)) }] };
  const make = (filter_chats: object) =>
    create({ name: 'Large', text: 'Hi', planned_at: '2099-01-01T00:00:00Z', filter_chats });
  const first = await make(large);
  assert.equal(first.status, 201);
  await sql`
    update mailings set filter_chats = jsonb_build_object('all', repeat('x', 16500000))
    where id = ${first.body.uuid}`;
  const { status, body } = await make(large);
  const complaint =
    'The mailings around this one have too many large filters. Put a long list into customer_filter_array.';
  assert.deepEqual([status, body], [400, { filter_chats: [complaint] }]);
  assert.equal((await make({ all: [] })).status, 201);
});

test('no filter is read to find whether a page of mailings is large', async () => {
  const filter = Array.from({ length: 2_000 }, () => randomUUID());
  await sql`update mailings set filter_chats = ${sql.json(filter)} where project_id = ${projectId}`;
  const blocks = await blocksOf(sql, sizesAround(sql, projectId, randomUUID()));
  const [{ mailings }] = await sql<[{ mailings: number }]>`
    select count(*) as mailings from mailings where project_id = ${projectId}`;
  assert.ok(blocks < 3 * mailings, `${blocks} blocks for ${mailings} mailings`);
});
