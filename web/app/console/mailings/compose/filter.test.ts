import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFilter } from '../../../../../src/clients/filters/parse.ts';
import { audienceOf, emptyDraft, identifiersIn } from './draft.ts';
import { fromJson, hasGaps, kindOf, lookups, lookupsOf, newCondition, newGroup, toJson } from './filter.ts';

const fields = [
  'profile_tag:tag',
  'profile_attribute:name',
  'profile_attribute:city__of__birth',
  'profile_attribute:created_at',
  'attribute:platform',
  'attribute:last order',
];
const valueFor = (field: string): string => {
  const kind = kindOf(field);
  return kind === 'moment' ? '2026-11-20' : kind === 'platform' ? 'Telegram' : '12';
};

test('the API accepts every condition of the builder, and the builder reads it back unchanged', () => {
  for (const field of fields) {
    for (const lookup of lookupsOf[kindOf(field)]) {
      const condition = { ...newCondition(field), lookup, values: [valueFor(field)] };
      const json = toJson(newGroup('all', [newGroup('any', [condition])]));
      parseFilter(json);
      const read = fromJson(json);
      assert.ok(read, JSON.stringify(json));
      assert.deepEqual(toJson(read), json);
    }
  }
  assert.ok(lookups.every((lookup) => Object.values(lookupsOf).some((known) => known.includes(lookup))));
});

test('a condition without a value is left out and reported', () => {
  const inside = newGroup('any', [newCondition()]);
  assert.deepEqual(toJson(newGroup('all', [newCondition(), inside, newGroup('any')])), {
    all: [{ any: [] }],
  });
  assert.equal(hasGaps(newGroup('all', [inside])), true);
  assert.equal(hasGaps(newGroup('all', [{ ...newCondition(), values: ['vip'] }, newGroup('any')])), false);
});

test('a filter beyond the builder stays JSON', () => {
  for (const json of [
    { all: [], any: [] },
    { all: [{ type: 'profile_attribute', age__range: [1, 2] }] },
    { all: ['x'] },
    [],
    null,
  ]) {
    assert.equal(fromJson(json), null, JSON.stringify(json));
  }
});

test('a pasted list gives one identifier per line, with any separators', () => {
  assert.deepEqual(identifiersIn(' +7 900 1\r\n\n+7 900 2, x;y\tz\n'), [
    '+7 900 1',
    '+7 900 2',
    'x',
    'y',
    'z',
  ]);
  assert.throws(() => audienceOf({ ...emptyDraft(), filter_chats: '{' }), SyntaxError);
});
