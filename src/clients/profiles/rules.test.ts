import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Invalid } from '../../platform/problem.ts';
import { areTwoPeople, fieldsOf, joined } from './rules.ts';

const addresses: [email: string, isGood: boolean][] = [
  ['a@b.de', true],
  ["o'hara+shop@mail.example.com", true],
  ['анна@почта.рф', true],
  ['a@b', false],
  ['a@b.', false],
  ['a@.de', false],
  ['a@b..de', false],
  ['@b.de', false],
  ['a@b@c.de', false],
  ['a b@c.de', false],
  ['a@b.de\n', false],
];

for (const [email, isGood] of addresses) {
  test(`"${email}" is ${isGood ? 'an address' : 'no address'}`, () => {
    if (isGood) assert.equal(fieldsOf({ email }).email, email);
    else assert.throws(() => fieldsOf({ email }), Invalid);
  });
}

const nobody = {
  id: '0190a1b2-0000-7000-8000-000000000001',
  external_id: null,
  phone_number: null,
  email: null,
  name: null,
  timezone: null,
  pda_agreed: null,
  tags: [],
  attrs: {},
  created_at: new Date(0),
  updated_at: new Date(0),
};

test('two profiles with one number are one person, unless another fact separates them', () => {
  const owner = { ...nobody, phone_number: '+12015550123', external_id: 'crm-1' };
  assert.equal(areTwoPeople(nobody, owner), false);
  assert.equal(areTwoPeople({ ...nobody, external_id: 'crm-2' }, { ...owner, external_id: null }), false);
  assert.equal(areTwoPeople({ ...nobody, external_id: 'crm-2' }, owner), true);
  assert.equal(areTwoPeople({ ...nobody, phone_number: '+12015550199' }, owner), true);
});

test('a merge adds missing values, and removes none', () => {
  const source = {
    ...nobody,
    external_id: 'crm-1',
    email: 'ann@mail.example',
    name: 'Ann',
    pda_agreed: new Date('2026-11-20T12:00:00Z'),
    tags: ['vip', 'new'],
    attrs: { city: 'Oslo', size: 42 },
  };
  const target = { ...nobody, name: 'Ann Lee', timezone: 'UTC', tags: ['old'], attrs: { city: 'Bergen' } };
  const { fields, ...rest } = joined(source, target);
  assert.deepEqual(JSON.parse(JSON.stringify(fields)), {
    external_id: 'crm-1',
    email: 'ann@mail.example',
    pda_agreed: '2026-11-20T12:00:00.000Z',
  });
  assert.deepEqual(rest, { tags: { add: ['vip', 'new'] }, attrs: { size: 42 } });
});

test('an attribute with the value false does not count as missing', () => {
  assert.deepEqual(joined({ ...nobody, attrs: { a: 1 } }, { ...nobody, attrs: { a: false } }).attrs, {});
});
