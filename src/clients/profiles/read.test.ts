import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';
import { noon, seedChannel, seedChat, seedProfile } from '../../../test/seed.ts';

const unknown = '018f0000-0000-7000-8000-000000000000';
const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;
const partner = await createPartner({ after }, patchbay);
const stranger = await createPartner({ after }, patchbay);
const ann = await partner.client('ann', { phone: '+1 201 555 0123' });
const bob = await stranger.client('bob', { phone: '+12015550199' });
await context.sql`update profiles set external_id = 'bob' where id = ${bob.profile}`;

const get = (path: string, headers = partner.key) =>
  call('GET', `/api/partners/profiles/${path}`, { headers });
const external = (id: string) => `external/${encodeURIComponent(id)}/`;

const annAsRead = {
  uuid: ann.profile,
  external_id: null,
  phone_number: '+12015550123',
  email: null,
  name: 'ann',
  timezone: null,
  pda_agreed: null,
  tags: [],
  attrs: {},
  chats: [{ uuid: ann.chat, platform: 'API_Messenger' }],
  created_at: noon.toISOString(),
  updated_at: noon.toISOString(),
};

for (const path of [
  `${ann.profile}/`,
  ann.profile,
  `${ann.profile.toUpperCase()}/`,
  `chat/${ann.chat}/`,
  'phone/+12015550123/',
  'phone/12015550123/',
  'phone/%2B12015550123/',
  'phone/+1%20(201)%20555-0123/',
]) {
  test(`profiles/${path} returns the whole profile`, async () => {
    const { status, body } = await get(path);
    assert.equal(status, 200);
    assert.deepEqual(body, annAsRead);
  });
}

test('a token reads as a key does', async () => {
  assert.deepEqual((await get(`${ann.profile}/`, partner.token)).body, annAsRead);
});

for (const [what, path] of [
  ['an unknown uuid', `${unknown}/`],
  ['a malformed uuid', 'x/'],
  ['a profile of another project', `${bob.profile}/`],
  ["a chat's uuid in the place of a profile's", `${ann.chat}/`],
  ['an unknown chat', `chat/${unknown}/`],
  ['a malformed chat', 'chat/x/'],
  ['a chat of another project', `chat/${bob.chat}/`],
  ['an unknown external id', 'external/nobody/'],
  ['an external id of another project', 'external/bob/'],
  ['an external id that cannot be stored', 'external/%00/'],
  ['an external id beyond the limit', `external/${'x'.repeat(5000)}/`],
  ['an unknown number', 'phone/+12015550100/'],
  ['a number of another project', 'phone/+12015550199/'],
  ['an invalid number', 'phone/nobody/'],
  ['a number without its country', 'phone/5550123/'],
] as const) {
  test(`${what} is not found`, async () => {
    const { status, body } = await get(path);
    assert.equal(status, 404);
    assert.deepEqual(body, { detail: 'Not found.' });
  });
}

const awkward = [
  'a/b',
  '/',
  'a/',
  '%',
  '%2F',
  '%252F',
  'a b',
  ' ',
  '+',
  'ä',
  '😀',
  '?a=b',
  '#',
  ';',
  ':uuid',
  '"\\',
  'A',
  'a',
];

test('an external id may be any text, its slashes encoded', async () => {
  const ids = new Map<string, string>();
  for (const id of awkward)
    ids.set(id, await seedProfile(context.sql, partner.projectId, { external_id: id }));
  for (const [id, uuid] of ids) {
    const { status, body } = await get(external(id));
    assert.deepEqual([status, body.uuid, body.external_id], [200, uuid, id]);
  }
});

test('every storable external id finds its profile', async () => {
  // A browser resolves one or two dots as path segments, however they are encoded.
  const storable = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    .filter((id) => id.isWellFormed() && !id.includes('\0') && !/^\.\.?$/.test(id));
  await fc.assert(
    fc.asyncProperty(storable, async (id) => {
      await context.sql`update profiles set external_id = ${id} where id = ${ann.profile} and not exists (
        select from profiles where project_id = ${partner.projectId} and external_id = ${id})`;
      assert.equal((await get(external(id))).body.external_id, id);
    }),
    { numRuns: 60 },
  );
  await context.sql`update profiles set external_id = null where id = ${ann.profile}`;
});

test('the most recently active chat comes first', async () => {
  const { sql } = context;
  const profileId = await seedProfile(sql, partner.projectId);
  const telegram = await seedChannel(sql, partner.projectId, 'Telegram');
  const seed = (minutes: number) =>
    seedChat(sql, partner.projectId, {
      channelId: telegram,
      platform: 'Telegram',
      profileId,
      last_active_at: new Date(noon.getTime() + minutes * 60_000),
    });
  const [middle, newest, oldest] = [await seed(2), await seed(3), await seed(1)];
  const { body } = await get(`${profileId}/`);
  assert.deepEqual(
    body.chats,
    [newest, middle, oldest].map((uuid) => ({ uuid, platform: 'Telegram' })),
  );
});

for (const [method, path, allow] of [
  ['POST', '', 'GET, HEAD, OPTIONS'],
  ['PUT', '', 'GET, HEAD, OPTIONS'],
  ['DELETE', `${ann.profile}/`, 'GET, HEAD, OPTIONS, PUT'],
  ['PUT', `chat/${ann.chat}/`, 'GET, HEAD, OPTIONS'],
  ['PATCH', 'external/x/', 'GET, HEAD, OPTIONS, PUT'],
  ['POST', 'phone/12015550123/', 'GET, HEAD, OPTIONS, PUT'],
  ['PUT', 'audit/', 'GET, HEAD, OPTIONS'],
  ['PUT', `audit/${unknown}/`, 'GET, HEAD, OPTIONS'],
] as const) {
  test(`${method} profiles/${path.replace(/\w{8}-[\w-]+/, '{uuid}')} is 405`, async () => {
    const answer = await call(method, `/api/partners/profiles/${path}`, { headers: partner.key, body: {} });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), allow);
  });
}

for (const path of [
  '',
  `${ann.profile}/`,
  `${unknown}/`,
  `chat/${ann.chat}/`,
  'external/x/',
  'phone/1/',
  'audit/',
  `audit/${unknown}/`,
]) {
  test(`profiles/${path.replace(/\w{8}-[\w-]+/, '{uuid}')} refuses requests without credentials`, async () => {
    const { status, headers } = await get(path, {});
    assert.equal(status, 401);
    assert.equal(headers.get('www-authenticate'), 'Bearer realm="api"');
  });
}
