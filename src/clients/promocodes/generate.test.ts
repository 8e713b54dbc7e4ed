import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../test/harness.ts';

const path = '/api/partners/promocodes/';
const unknown = '018f0000-0000-7000-8000-000000000000';
const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;
const partner = await createPartner({ after }, patchbay);
const stranger = await createPartner({ after }, patchbay);
const group = await createGroup(partner.key);
const strangersGroup = await createGroup(stranger.key);

async function createGroup(headers: Record<string, string>): Promise<string> {
  const { body } = await call('POST', '/api/partners/promocode-groups/', {
    headers,
    body: { name: 'Spring' },
  });
  return body.uuid;
}

const generate = (body: object, headers: Record<string, string> = partner.key) =>
  call('POST', `${path}generate/`, { headers, body: { group, ...body } });
const newest = async () => {
  const { body } = await call('GET', `${path}?limit=1`, { headers: partner.key });
  return body.results[0];
};

test('a generated code is stored, available, in its group', async () => {
  const { status, body } = await generate({ expires_at: '2027-01-01T00:00:00Z' }, partner.token);
  assert.deepEqual([status, Object.keys(body)], [200, ['code']]);
  const stored = await newest();
  assert.deepEqual(stored, {
    uuid: stored.uuid,
    code: body.code,
    status: 'AVAILABLE',
    group: { uuid: group, name: 'Spring' },
    issued_chat: null,
    issued_at: null,
    expires_at: '2027-01-01T00:00:00.000Z',
    created_at: clock.now().toISOString(),
    updated_at: clock.now().toISOString(),
  });
});

const prefix = '😀'.repeat(1014);
const forms: [promise: string, body: object, form: RegExp][] = [
  ['ten letters by default', {}, /^[A-Z]{10}$/],
  ['the requested number of letters', { chars_count: 5 }, /^[A-Z]{5}$/],
  ['letters and digits on request', { is_add_integers: true, chars_count: 7 }, /^[A-Z0-9]{7}$/],
  ['letters only without digits', { is_add_integers: false }, /^[A-Z]{10}$/],
  ['the prefix, and then as many', { prefix: 'sale-é-', chars_count: 6 }, /^sale-é-[A-Z]{6}$/],
  ['nothing in front for an empty prefix', { prefix: '' }, /^[A-Z]{10}$/],
  ['1,024 characters at most', { prefix }, new RegExp(`^${prefix}[A-Z]{10}$`)],
];

for (const [promise, body, form] of forms) {
  test(`a generated code has ${promise}`, async () => {
    const { status, body: answer } = await generate(body);
    assert.equal(status, 200, JSON.stringify(answer));
    assert.match(answer.code, form);
  });
}

const refused: [promise: string, body: object, complaint: unknown][] = [
  ['no group', { group: undefined }, { group: ['This field is required.'] }],
  ['a group that is no uuid', { group: 'Spring' }, { group: ['Must be a valid UUID.'] }],
  ['an unknown group', { group: unknown }, { group: [`Object with uuid=${unknown} does not exist.`] }],
  [
    'a group of another project',
    { group: strangersGroup },
    { group: [`Object with uuid=${strangersGroup} does not exist.`] },
  ],
  [
    'four characters',
    { chars_count: 4 },
    { chars_count: ['Ensure this value is greater than or equal to 5.'] },
  ],
  [
    'eleven characters',
    { chars_count: 11 },
    { chars_count: ['Ensure this value is less than or equal to 10.'] },
  ],
  ['half a character', { chars_count: 5.5 }, { chars_count: ['A valid integer is required.'] }],
  ['a word for the digits', { is_add_integers: 'yes' }, { is_add_integers: ['Must be a valid boolean.'] }],
  [
    'a prefix that leaves no room',
    { prefix: `${prefix}x` },
    { prefix: ['Ensure this field has no more than 1014 characters.'] },
  ],
];

for (const [promise, body, complaint] of refused) {
  test(`a request with ${promise} is refused`, async () => {
    const { status, body: answer } = await generate(body);
    assert.deepEqual([status, answer], [400, complaint]);
  });
}

test('concurrently generated codes are all different and all stored', async () => {
  const answers = await Promise.all(Array.from({ length: 300 }, () => generate({ prefix: 'many-' })));
  const codes = answers.map(({ body }) => body.code);
  assert.equal(new Set(codes).size, 300);
  const stored = await context.sql`select from promocodes where code = any (${codes}::text[])`;
  assert.equal(stored.length, 300);
});

test('a repeated key returns the same code, and concurrent twins get one', async () => {
  const headers = { ...partner.key, 'idempotency-key': 'generate-1' };
  const answers = await Promise.all(Array.from({ length: 5 }, () => generate({ prefix: 'once-' }, headers)));
  const codes = new Set(answers.map(({ body }) => body.code));
  assert.equal(codes.size, 1);
  const stored = await context.sql`select from promocodes where code like 'once-%'`;
  assert.equal(stored.length, 1);
});

test('a second attempt after a crash gets the code of the first', async () => {
  const headers = { ...partner.key, 'idempotency-key': 'generate-2' };
  const first = await generate({}, headers);
  // Simulates a process that died after it stored the code, and before it stored the answer.
  await context.sql`update idempotency_keys set answer = null`;
  clock.advance(60_000);
  const second = await generate({}, headers);
  assert.deepEqual([second.status, second.body], [200, first.body]);
});
