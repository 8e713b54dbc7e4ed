import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type FieldMessages, Invalid } from '../../platform/problem.ts';
import { parseFilter } from './parse.ts';
import { conditionTypes } from './subject.ts';
import { lookups } from './test-of.ts';

const uuid = '0190A1B2-0000-7000-8000-000000000001';
const moment = '2026-11-20T12:00:00+03:00';

function complaints(value: unknown, field?: string): FieldMessages | null {
  try {
    parseFilter(value, field);
    return null;
  } catch (error) {
    assert.ok(error instanceof Invalid, String(error));
    return error.fields;
  }
}

const complaintAbout = (condition: unknown): unknown => {
  const found = complaints({ all: [condition] });
  return found === null ? null : JSON.stringify(found);
};

const chatKeys = [
  'platform',
  'uuid',
  'name',
  'username',
  'phone',
  'created_at',
  'timezone',
  'pda_agreed',
  'any one',
];
const profileKeys = [
  'timezone',
  'pda_agreed',
  'phone_number',
  'external_id',
  'email',
  'name',
  'created_at',
  'any one',
];
const keys = [
  ...chatKeys.map((key) => ['attribute', key]),
  ...profileKeys.map((key) => ['profile_attribute', key]),
  ...['tag', 'name'].map((key) => ['profile_tag', key]),
];

/** A valid value for a key, whatever the lookup. */
const sampleOf = (key = ''): string =>
  ({
    platform: 'Telegram',
    uuid,
    created_at: moment,
    pda_agreed: moment,
    phone: '+12025550123',
    phone_number: '+12025550123',
  })[key] ?? 'text';

function valueFor(lookup: string, sample: string): unknown {
  if (lookup === 'isnull') return true;
  if (lookup === 'in') return [sample];
  return lookup === 'range' ? [sample, sample] : sample;
}

test('every key takes every lookup, and a key without a lookup means exact', () => {
  for (const [type, key] of keys) {
    const sample = sampleOf(key);
    for (const lookup of lookups) {
      const value = valueFor(lookup, sample);
      assert.equal(complaintAbout({ type, [`${key}__${lookup}`]: value }), null, `${type} ${key} ${lookup}`);
    }
    assert.deepEqual(
      parseFilter({ all: [{ type, [`${key}`]: sample }] }),
      parseFilter({ all: [{ type, [`${key}__exact`]: sample }] }),
    );
  }
});

test('groups nest, and may be empty', () => {
  const city = { type: 'attribute', city: 'Oslo' };
  const read = {
    subject: { kind: 'value', record: 'variables', name: 'city' },
    test: { lookup: 'in', values: ['Oslo'] },
  };
  assert.deepEqual(parseFilter({ all: [{ any: [city, { all: [] }] }, city] }), {
    all: [{ any: [read, { all: [] }] }, read],
  });
  assert.deepEqual(parseFilter({ any: [] }), { any: [] });
});

test('names are used literally: with underscores, of prototypes, in any script', () => {
  const nameIn = (key: string) => {
    const filter = parseFilter({ all: [JSON.parse(`{"type": "attribute", ${JSON.stringify(key)}: "x"}`)] });
    return JSON.stringify(filter).replace(/.*"name":("[^"]*").*/, '$1');
  };
  assert.equal(nameIn('constructor__exact'), '"constructor"');
  assert.equal(nameIn('toString'), '"toString"');
  assert.equal(nameIn('__proto____exact'), '"__proto__"');
  assert.equal(nameIn('a__b__exact'), '"a__b"');
  assert.equal(nameIn('город_1'), '"город_1"');
  assert.equal(nameIn('😀'.repeat(1024)), `"${'😀'.repeat(1024)}"`);
});

// biome-ignore format: a table is read in columns
const wrongConditions: [condition: unknown, complaint: RegExp][] = [
  [null, /all\.0: A condition is an object/],
  ['platform', /all\.0: A condition is an object/],
  [[], /all\.0: A condition is an object/],
  [{}, /all\.0: The type of a condition is one of: attribute, profile_attribute, profile_tag/],
  [{ type: 'chat', platform: 'Telegram' }, /The type of a condition is one of/],
  [{ type: ['attribute'], platform: 'Telegram' }, /The type of a condition is one of/],
  [{ type: 'attribute' }, /its type and one key/],
  [{ type: 'attribute', '': 'x' }, /its type and one key/],
  [{ type: 'attribute', name: 'x', phone: 'y' }, /its type and one key/],
  [{ type: 'profile_tag', colour: 'x' }, /has no key \\"colour\\"/],
  [{ type: 'attribute', name__regex: '(a+)+$' }, /\\"name__regex\\" does not end in a lookup: exact, /],
  [{ type: 'attribute', name__iregex: 'x' }, /does not end in a lookup/],
  [{ type: 'attribute', name__: 'x' }, /does not end in a lookup/],
  [{ type: 'attribute', __exact: 'x' }, /does not end in a lookup/],
  [{ type: 'attribute', ['x'.repeat(1025)]: 'x' }, /The key is too long/],
  [{ type: 'attribute', ['😀'.repeat(1025)]: 'x' }, /The key is too long/],
  [{ type: 'attribute', 'a\0b': 'x' }, /The key is too long, or no text/],
  [{ type: 'attribute', name: null }, /may not be null.*__isnull/],
  [{ type: 'attribute', name: {} }, /Not a valid string/],
  [{ type: 'attribute', name: ['x'] }, /Not a valid string/],
  [{ type: 'attribute', name: 'x'.repeat(1025) }, /no more than 1024 characters/],
  [{ type: 'attribute', name: 'a\0b' }, /Null characters are not allowed/],
  [{ type: 'attribute', name__contains: '\ud83d' }, /Surrogate characters are not allowed/],
  [{ type: 'attribute', platform: 'Telegramm' }, /\\"Telegramm\\" is not a valid choice/],
  [{ type: 'attribute', platform__in: ['Telegram', 'X'] }, /\\"X\\" is not a valid choice/],
  [{ type: 'attribute', uuid: 'x' }, /Must be a valid UUID/],
  [{ type: 'attribute', uuid__in: [uuid, 5] }, /Must be a valid UUID/],
  [{ type: 'attribute', created_at__gt: '2026-11-20' }, /Datetime has wrong format/],
  [{ type: 'profile_attribute', pda_agreed: '2026-02-30T00:00:00Z' }, /Datetime has wrong format/],
  [{ type: 'attribute', pda_agreed__isnull: 'yes' }, /Must be a valid boolean/],
  [{ type: 'attribute', pda_agreed__isnull: null }, /Must be a valid boolean/],
  [{ type: 'attribute', name__in: 'x' }, /Expected a list of items/],
  [{ type: 'attribute', name__in: { 0: 'x', length: 1 } }, /Expected a list of items/],
  [{ type: 'attribute', name__in: [['x']] }, /Not a valid string/],
  [{ type: 'attribute', name__in: Array(10_001).fill('x') }, /no more than 10000 elements/],
  [{ type: 'attribute', age__range: [1] }, /A range is a list of two values/],
  [{ type: 'attribute', age__range: [1, 2, 3] }, /no more than 2 elements/],
];

test('an invalid condition is refused with its place and the reason', () => {
  for (const [condition, complaint] of wrongConditions) {
    assert.match(String(complaintAbout(condition)), complaint, JSON.stringify(condition)?.slice(0, 200));
  }
});

test('a value that is no group at the top is refused under the name of its field', () => {
  const shape = { filter_chats: ['A filter is {"all": […]} or {"any": […]}.'] };
  for (const value of [undefined, null, 'x', 5, [], {}, { type: 'attribute', name: 'x' }, { ALL: [] }]) {
    assert.deepEqual(complaints(value), shape);
  }
  const both = { filter_chats: ['A group has either "all" or "any", and nothing else.'] };
  assert.deepEqual(complaints({ all: [], any: [] }), both);
  assert.deepEqual(complaints({ all: [], type: 'attribute' }), both);
  assert.deepEqual(complaints({ any: {} }), { filter_chats: ['any: Expected a list of items.'] });
  assert.deepEqual(complaints({ all: [{ any: [{ type: 'attribute', x: null }] }] }, 'cases'), {
    cases: ['all.0.any.0: This field may not be null. Ask with "__isnull".'],
  });
});

test('excessive depth, breadth and reports are refused at once', () => {
  const nested = (depth: number) =>
    Array.from({ length: depth - 1 }).reduce<unknown>((inside) => ({ all: [inside] }), { all: [] });
  assert.equal(complaints(nested(32)), null);
  for (const depth of [33, 1000, 100_000]) {
    assert.match(JSON.stringify(complaints(nested(depth))), /Groups may be nested 32 deep/);
  }
  const good = { type: 'attribute', name: 'x' };
  assert.equal(complaints({ all: Array(1000).fill(good) }), null);
  const tooMany = (items: unknown[]) => JSON.stringify(complaints({ all: items }));
  assert.equal(
    tooMany(Array(100_000).fill(good)),
    '{"filter_chats":["all.1000: A filter has no more than 1000 conditions."]}',
  );
  assert.match(tooMany(Array(1001).fill({ any: [] })), /no more than 1000 conditions/);
  assert.match(tooMany(Array(40).fill({ any: Array(40).fill(good) })), /no more than 1000 conditions/);
  assert.ok(tooMany(Array(100_000).fill({ type: 'x'.repeat(10_000) })).length < 4000);
});

test('any input is either read or refused', () => {
  const key = fc
    .tuple(
      fc.constantFrom('name', 'tag', 'pda_agreed', 'x', '__proto__', ''),
      fc.constantFrom<string>(...lookups, 'regex', ''),
    )
    .map(([name, lookup]) => `${name}__${lookup}`);
  const value = fc.jsonValue({ depthSize: 'small' });
  const condition = fc
    .tuple(fc.constantFrom(...conditionTypes), key, value)
    .map(([type, name, some]) => ({ type, [name]: some }));
  const filter: fc.Arbitrary<unknown> = fc.oneof(
    value,
    fc.record({ all: fc.oneof(value, fc.array(fc.oneof(condition, value))) }),
  );
  fc.assert(
    fc.property(filter, (some) => {
      const found = complaints(some);
      if (found !== null)
        assert.ok(
          Object.values(found)
            .flat()
            .every((line) => typeof line === 'string'),
        );
    }),
    { numRuns: 1000 },
  );
});
