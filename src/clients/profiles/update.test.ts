import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testDatabase } from '../../../test/database.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { noon, seedProfile } from '../../../test/seed.ts';
import { watchUnderWay } from '../../../test/under-way.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { Invalid } from '../../platform/problem.ts';
import { addAttribute, addTag } from './dictionary.ts';
import { update } from './update.ts';

const unknown = '018f0000-0000-7000-8000-000000000000';
const clock = manualClock();
const database = await testDatabase({ after });
/** How often the chats of a client were read. */
let chatsRead = 0;
const sqlOfPatchbay = new Proxy(database.sql, {
  apply(target, self, statement: Parameters<typeof database.sql>) {
    if (String(statement[0]).includes('order by chats.last_active_at')) chatsRead += 1;
    return Reflect.apply(target, self, statement);
  },
});
const patchbay = await startPatchbay(
  { after },
  { clock, database: { ...database, sql: sqlOfPatchbay }, config: { roles: ['api'] } },
);
const { call, context } = patchbay;
const partner = await createPartner({ after }, patchbay);
const stranger = await createPartner({ after }, patchbay);
const { projectId } = partner;
for (const name of ['vip', 'new', 'lost']) await addTag(context, { projectId, name });
for (const name of ['city', 'size']) await addAttribute(context, { projectId, name });
await addTag(context, { projectId: stranger.projectId, name: 'theirs' });

let uuid: string;
let count = 0;
const fresh = () => ({ phone: `+1201555${1000 + count++}`, external: `crm/${count}` });
let own: ReturnType<typeof fresh>;

beforeEach(async () => {
  own = fresh();
  uuid = await seedProfile(context.sql, projectId, { phone_number: own.phone, external_id: own.external });
  clock.advance(1000);
});

const request = (method: string, path: string, body?: unknown, headers = partner.key) =>
  call(method, `/api/partners/profiles/${path}`, { headers, body });
const put = (body: unknown, path = `${uuid}/`) => request('PUT', path, body);
const read = async () => (await request('GET', `${uuid}/`)).body;
const records = async () => (await request('GET', `audit/?profile=${uuid}`)).body.results;

const whole = {
  external_id: 'CRM 7',
  phone_number: '+12015559999',
  email: 'Ann.Lee+shop@mail.example.com',
  name: 'Ann Lee',
  timezone: 'Europe/Oslo',
  pda_agreed: '2026-11-20T04:00:00.000Z',
  tags: ['new', 'vip'],
  attrs: { city: 'Bergen', size: { eu: 42, all: [41, null] } },
};

test('a PUT of every field is stored, answered and read back', async () => {
  const { status, body } = await put(whole);
  assert.equal(status, 200);
  const expected = {
    uuid,
    ...whole,
    chats: [],
    created_at: noon.toISOString(),
    updated_at: clock.now().toISOString(),
  };
  assert.deepEqual(body, expected);
  assert.deepEqual(await read(), expected);
  const { body: kept } = await put({ tags: null, attrs: null });
  assert.deepEqual(
    [kept.tags, kept.attrs],
    [whole.tags, whole.attrs],
    'null is absence where it clears nothing',
  );
  await put({ external_id: null, phone_number: null });
});

test('each path that names a profile updates it', async () => {
  const paths = [
    `${uuid}/`,
    `external/${encodeURIComponent(own.external)}/`,
    `phone/${own.phone}/`,
    `phone/${own.phone.slice(1)}`,
  ];
  for (const path of paths) {
    const { status, body } = await put({ name: path }, path);
    assert.deepEqual([status, body.uuid, body.name], [200, uuid, path]);
  }
});

test('an update may change the value that its own path names', async () => {
  const { phone, external } = fresh();
  await put({ phone_number: phone }, `phone/${own.phone}/`);
  const { body } = await put({ external_id: external }, `external/${encodeURIComponent(own.external)}/`);
  assert.deepEqual([body.uuid, body.phone_number, body.external_id], [uuid, phone, external]);
  assert.equal((await put({}, `phone/${own.phone}/`)).status, 404);
});

/** Four bytes a character, all different: the index must accept it uncompressed. */
const incompressible = Array.from({ length: 512 }, (_, index) =>
  String.fromCodePoint(0x20000 + index * 83),
).join('');

/** A full profile after a PUT. */
const changes: [promise: string, body: object, expected: object][] = [
  ['absent keys stay unchanged', {}, {}],
  [
    'null clears a field',
    { email: null, name: null, timezone: null, pda_agreed: null },
    { email: null, name: null, timezone: null, pda_agreed: null },
  ],
  [
    'null frees a number and an external id',
    { phone_number: null, external_id: null },
    { phone_number: null, external_id: null },
  ],
  [
    'a number may come without its plus',
    { phone_number: '1 (201) 555-7777' },
    { phone_number: '+12015557777' },
  ],
  ['tags replace', { tags: ['lost'] }, { tags: ['lost'] }],
  [
    'tags keep the order in which they come',
    { tags: ['vip', 'lost', 'new'] },
    { tags: ['vip', 'lost', 'new'] },
  ],
  ['no tags clear all', { tags: [] }, { tags: [] }],
  ['a tag that comes twice is one', { tags: ['lost', 'vip', 'lost'] }, { tags: ['lost', 'vip'] }],
  ['an undefined tag is ignored', { tags: ['unheard-of', 'theirs', 'lost'] }, { tags: ['lost'] }],
  ['attributes merge by key', { attrs: { size: 7 } }, { attrs: { city: 'Bergen', size: 7 } }],
  ['null clears an attribute', { attrs: { city: null } }, { attrs: { size: whole.attrs.size } }],
  [
    'an undefined attribute is ignored',
    { attrs: { colour: 'red', city: 'Oslo' } },
    { attrs: { city: 'Oslo', size: whole.attrs.size } },
  ],
  [
    'an attribute may be any JSON',
    { attrs: { city: false, size: ['', 0, { a: null }] } },
    { attrs: { city: false, size: ['', 0, { a: null }] } },
  ],
  ['read-only fields are ignored', { uuid: unknown, chats: [], created_at: 'x', updated_at: 7 }, {}],
  ['unknown fields are ignored', { colour: 'red' }, {}],
  [
    'a moment is kept in UTC',
    { pda_agreed: '2026-01-01T02:30:00+05:30' },
    { pda_agreed: '2025-12-31T21:00:00.000Z' },
  ],
  ['the case of a zone is corrected', { timezone: 'asia/TOKYO' }, { timezone: 'Asia/Tokyo' }],
  ['a zone keeps its given name', { timezone: 'Asia/Kolkata' }, { timezone: 'Asia/Kolkata' }],
  [
    'an external id may have 512 characters of any size',
    { external_id: incompressible },
    { external_id: incompressible },
  ],
  ['a name may have 1024 characters', { name: '😀'.repeat(1024) }, { name: '😀'.repeat(1024) }],
];

for (const [promise, body, expected] of changes) {
  test(promise, async () => {
    const { phone, external } = fresh();
    await put({ ...whole, phone_number: phone, external_id: external });
    const before = await read();
    clock.advance(1000);
    const { status, body: answer } = await put(body);
    assert.equal(status, 200, JSON.stringify(answer));
    const isChange = Object.keys(expected).length > 0;
    assert.deepEqual(answer, {
      ...before,
      ...expected,
      updated_at: isChange ? clock.now().toISOString() : before.updated_at,
    });
    assert.deepEqual(await read(), answer);
    await put({ external_id: null, phone_number: null });
  });
}

const longMail = `${'a'.repeat(250)}@b.de`;

const refusals: [promise: string, body: unknown, expected: object][] = [
  [
    'a number without a country',
    { phone_number: '555-0123' },
    { phone_number: ['Enter a valid phone number.'] },
  ],
  ['an invalid number', { phone_number: 'call me' }, { phone_number: ['Enter a valid phone number.'] }],
  ['a number as a number', { phone_number: 12015550123 }, { phone_number: ['Not a valid string.'] }],
  ['an empty number', { phone_number: '' }, { phone_number: ['This field may not be blank.'] }],
  ['an empty external id', { external_id: '' }, { external_id: ['This field may not be blank.'] }],
  [
    'an external id that is too long',
    { external_id: 'x'.repeat(513) },
    { external_id: ['Ensure this field has no more than 512 characters.'] },
  ],
  [
    'a name that is too long',
    { name: 'x'.repeat(1025) },
    { name: ['Ensure this field has no more than 1024 characters.'] },
  ],
  ['an address without an @', { email: 'ann' }, { email: ['Enter a valid email address.'] }],
  ['an address without a domain', { email: 'ann@' }, { email: ['Enter a valid email address.'] }],
  ['an address with a space', { email: 'ann @mail.example' }, { email: ['Enter a valid email address.'] }],
  ...['<ann@mail.example>', 'ann@mail.example\u202E', 'a\u200Bnn@mail.example', 'ann,bob@mail.example'].map(
    (email): [string, object, object] => [
      `the address ${JSON.stringify(email)}`,
      { email },
      { email: ['Enter a valid email address.'] },
    ],
  ),
  [
    'an address that is too long',
    { email: longMail },
    { email: ['Ensure this field has no more than 254 characters.'] },
  ],
  [
    'an invalid zone',
    { timezone: 'Europe/Nowhere' },
    { timezone: ['"Europe/Nowhere" is not a valid choice.'] },
  ],
  ['an offset as a zone', { timezone: '+03:00' }, { timezone: ['"+03:00" is not a valid choice.'] }],
  ['a date without a time', { pda_agreed: '2026-11-20' }, { pda_agreed: [dateFormat()] }],
  ['an impossible date', { pda_agreed: '2026-02-30T00:00:00Z' }, { pda_agreed: [dateFormat()] }],
  ['a boolean as a moment', { pda_agreed: true }, { pda_agreed: ['Not a valid string.'] }],
  ['a tag that is no text', { tags: ['vip', 7] }, { tags: { 1: ['Not a valid string.'] } }],
  [
    'a list for attributes',
    { attrs: [] },
    { attrs: ['Expected a dictionary of items but got type "list".'] },
  ],
  [
    'a name of several lines',
    { name: 'Ann\nLee' },
    { name: ['Enter one line, without control characters.'] },
  ],
  ['text that cannot be stored', { name: 'a\0' }, { name: ['Null characters are not allowed.'] }],
  [
    'an attribute that cannot be stored',
    { attrs: { city: '\ud800' } },
    { attrs: { city: ['Surrogate characters are not allowed.'] } },
  ],
  [
    'several at once',
    { phone_number: 'x', email: 'x', timezone: 'x' },
    {
      phone_number: ['Enter a valid phone number.'],
      email: ['Enter a valid email address.'],
      timezone: ['"x" is not a valid choice.'],
    },
  ],
  ['a list for the whole', [], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
];

function dateFormat(): string {
  return 'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].';
}

for (const [promise, body, expected] of refusals) {
  test(`${promise} is refused, and nothing changes`, async () => {
    const before = await read();
    const { status, body: answer } = await put(
      Array.isArray(body) ? body : { tags: ['vip'], ...Object(body) },
    );
    assert.deepEqual([status, answer], [400, expected]);
    assert.deepEqual(await read(), before);
    assert.deepEqual(await records(), []);
  });
}

for (const field of ['phone_number', 'external_id'] as const) {
  test(`a ${field} of another profile is refused, and nothing is merged`, async () => {
    const taken = fresh();
    const other = await seedProfile(context.sql, projectId, {
      phone_number: taken.phone,
      external_id: taken.external,
    });
    const before = await read();
    const value = { phone_number: taken.phone, external_id: taken.external }[field];
    const { status, body } = await put({ name: 'Ann', [field]: value });
    assert.deepEqual([status, body], [400, { [field]: ['This field must be unique.'] }]);
    assert.deepEqual(await read(), before);
    assert.equal((await request('GET', `${other}/`)).body[field], value);
    assert.deepEqual(await records(), []);
  });

  test(`a ${field} may equal another project’s, or the profile’s current one`, async () => {
    const taken = fresh();
    const value = { phone_number: taken.phone, external_id: taken.external }[field];
    await seedProfile(context.sql, stranger.projectId, { [field]: value });
    assert.equal((await put({ [field]: value })).status, 200);
    assert.equal((await put({ [field]: value })).status, 200);
  });
}

for (const [what, path] of [
  ['an unknown uuid', `${unknown}/`],
  ['a malformed uuid', 'x/'],
  ['an unknown external id', 'external/nobody/'],
  ['an unknown number', 'phone/+12015550000/'],
  ['an invalid number', 'phone/x/'],
] as const) {
  test(`${what} is not found, whatever the body, and nothing is created`, async () => {
    for (const body of [{ name: 'Ann' }, '{']) {
      const answer = await put(body, path);
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'Not found.' }]);
    }
  });
}

test("another project's profile is not found by any of its names, and stays unchanged", async () => {
  const before = await read();
  for (const path of [`${uuid}/`, `external/${encodeURIComponent(own.external)}/`, `phone/${own.phone}/`]) {
    assert.equal((await request('PUT', path, { name: 'Mine' }, stranger.key)).status, 404);
  }
  assert.deepEqual(await read(), before);
});

test('a request without credentials changes nothing', async () => {
  const bad: Record<string, string>[] = [{}, { 'bot-key': unknown }];
  for (const headers of bad) {
    assert.equal((await request('PUT', `${uuid}/`, { name: 'Mine' }, headers)).status, 401);
  }
  assert.equal((await read()).name, null);
});

test('concurrent updates of different fields all take effect', async () => {
  const bodies = [
    { name: 'Ann' },
    { email: 'ann@mail.example' },
    { timezone: 'UTC' },
    { tags: ['vip'] },
    { attrs: { city: 'Bergen' } },
    { attrs: { size: 42 } },
  ];
  const answers = await Promise.all(bodies.map((body) => put(body)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const { name, email, timezone, tags, attrs } = await read();
  assert.deepEqual(
    { name, email, timezone, tags, attrs },
    {
      name: 'Ann',
      email: 'ann@mail.example',
      timezone: 'UTC',
      tags: ['vip'],
      attrs: { city: 'Bergen', size: 42 },
    },
  );
  assert.equal((await records()).length, bodies.length);
});

test('of many concurrent claims to one number one succeeds', async () => {
  const { phone } = fresh();
  const rivals = await Promise.all(Array.from({ length: 8 }, () => seedProfile(context.sql, projectId)));
  const answers = await Promise.all(rivals.map((id) => put({ phone_number: phone }, `${id}/`)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(400)]);
});

test("profiles that want each other's values are refused, and never deadlock", async () => {
  for (let round = 0; round < 10; round += 1) {
    const [one, two] = [fresh(), fresh()];
    const ids = await Promise.all(
      [one, two].map(({ phone, external }) =>
        seedProfile(context.sql, projectId, { phone_number: phone, external_id: external }),
      ),
    );
    const answers = await Promise.all([
      put({ phone_number: two.phone, external_id: two.external }, `${ids[0]}/`),
      put({ phone_number: one.phone, external_id: one.external }, `${ids[1]}/`),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 400],
    );
  }
});

const crm = (): Principal => ({
  kind: 'bot_key',
  projectId,
  callerId: uuid,
  applicationId: null,
  name: 'CRM',
});

test('a number that was in use is named, even if it is free by the time of the answer', async () => {
  const { phone } = fresh();
  const rival = await seedProfile(context.sql, projectId, { phone_number: phone });
  /** The rival gives up its number before its owner is looked up. */
  const sql = new Proxy(context.sql, {
    apply: (target, self, statement: Parameters<typeof context.sql>) => {
      const asked = () => Reflect.apply(target, self, statement);
      if (!String(statement[0]).includes('as taken')) return asked();
      return put({ phone_number: null }, `${rival}/`).then(asked);
    },
  });
  const updated = update({
    context: { ...context, sql },
    principal: crm(),
    body: { phone_number: phone },
    loaded: { id: uuid },
  });
  await assert.rejects(updated, new Invalid({ phone_number: ['This field must be unique.'] }));
});

test("a change by a name reaches one's own client, also where another project's has the same name", async () => {
  const shared = [fresh(), fresh()];
  for (const [place, { phone, external }] of shared.entries()) {
    const projects = [projectId, stranger.projectId];
    for (const project of place === 0 ? projects : projects.toReversed()) {
      await seedProfile(context.sql, project, { phone_number: phone, external_id: external });
    }
    for (const path of [`phone/${phone.slice(1)}/`, `external/${encodeURIComponent(external)}/`]) {
      assert.equal((await put({ name: path }, path)).body.name, path);
    }
  }
  const theirs = await context.sql`select name from profiles where project_id = ${stranger.projectId}`;
  assert.ok(theirs.every(({ name }) => name === null));
});

test('a change reads the chats of its client once, which may be thousands', async () => {
  const names = { phone: own.phone.slice(1), external: encodeURIComponent(own.external) };
  for (const path of [`${uuid}/`, `phone/${names.phone}/`, `external/${names.external}/`]) {
    const before = chatsRead;
    assert.equal((await put({ name: path }, path)).body.name, path);
    assert.equal(chatsRead - before, 1);
  }
});

test('of many changes of one profile one is under way at a time, and others do not wait for them', async () => {
  const other = await seedProfile(context.sql, projectId);
  const { sql, most } = watchUnderWay(context.sql, /with given as|from profiles where project_id = ,/);
  const rename = (id: string, name: string) =>
    update({ context: { ...context, sql }, principal: crm(), body: { name }, loaded: { id } });
  const names = Array.from({ length: 10 }, (_, place) => `Name ${place}`);
  const changed = await Promise.all(names.map((name) => rename(uuid, name)));
  assert.equal(most(), 1);
  assert.ok(changed.every(({ isChanged }) => isChanged));
  assert.equal((await read()).name, 'Name 9');
  await Promise.all([uuid, other].flatMap((id) => names.map((name) => rename(id, `${name} again`))));
  assert.equal(most(), 2);
});

test('numbers and external ids of one project are given one at a time', async () => {
  const { sql, most } = watchUnderWay(context.sql, /with given as/);
  const ids = await Promise.all(Array.from({ length: 5 }, () => seedProfile(context.sql, projectId)));
  const give = (id: string, body: { external_id: string } | { phone_number: string }) =>
    update({ context: { ...context, sql }, principal: crm(), body, loaded: { id } });
  await Promise.all(ids.map((id) => give(id, { external_id: id })));
  await Promise.all(ids.map((id) => give(id, { phone_number: fresh().phone })));
  assert.equal(most(), 1);
});

test('a profile has limited attributes and tags in total, however many changes add them', async () => {
  const names = Array.from({ length: 4 }, (_, index) => `part ${index}`);
  for (const name of names) await addAttribute(context, { projectId, name });
  const large = 'x'.repeat(30_000);
  const answers = [];
  for (const name of names) answers.push(await put({ name, attrs: { [name]: large } }));
  const complaint = { attrs: ['Ensure this field has no more than 65536 characters.'] };
  assert.deepEqual(
    answers.map(({ status, body }) => (status === 200 ? status : body)),
    [200, 200, complaint, complaint],
  );
  assert.equal((await read()).name, 'part 1', 'a refused change changes nothing');
  assert.equal((await put({ attrs: { 'part 0': null, 'part 2': large } })).status, 200);

  const tags = Array.from({ length: 800 }, (_, index) => `${'t'.repeat(90)}${index}`);
  await context.sql`insert into tags select ${projectId}, name from unnest(${tags}::text[]) as names (name)`;
  const tooMany = await put({ tags });
  assert.deepEqual(
    [tooMany.status, tooMany.body],
    [400, { tags: ['Ensure this field has no more than 65536 characters.'] }],
  );
  assert.equal((await put({ tags: tags.slice(0, 600) })).status, 200);
});

test('a push that adds too many attributes is refused, and sends nothing', async () => {
  const { chat, profile } = await partner.client('fat');
  const push = (attrs: object) =>
    call('POST', '/api/partners/push-messages/', {
      headers: partner.key,
      body: {
        chat: { uuid: chat },
        profile: { uuid: profile, attrs },
        content: { type: 'TEXT', text: 'Hi' },
      },
    });
  const large = 'x'.repeat(40_000);
  assert.equal((await push({ city: large })).status, 201);
  const refused = await push({ size: large });
  assert.deepEqual(
    [refused.status, refused.body],
    [400, { profile: { attrs: ['Ensure this field has no more than 65536 characters.'] } }],
  );
  const { body } = await request('GET', `../push-messages/?profile=${profile}`);
  assert.equal(body.count, 1);
});
