import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isUuid, uuidv7 } from './id.ts';

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const anyTime = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });

test('an id is a UUID of version 7 that begins with its time', () => {
  fc.assert(
    fc.property(anyTime, (time) => {
      const id = uuidv7(time);
      assert.match(id, V7);
      assert.equal(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16), time.getTime());
    }),
  );
});

test('the example of RFC 9562 has our layout', () => {
  const example = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f';
  assert.match(example, V7);
  assert.equal(uuidv7(new Date('2022-02-22T19:22:22.000Z')).slice(0, 13), example.slice(0, 13));
});

test('ids of one millisecond are unique and sorted by creation', () => {
  const now = new Date('2026-11-20T04:00:00Z');
  const ids = Array.from({ length: 50_000 }, () => uuidv7(now));
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids.toSorted(), ids);
});

test('ids of a later millisecond sort after, and a clock that goes back gives ids of its own time', () => {
  const first = uuidv7(new Date(1000));
  const second = uuidv7(new Date(1001));
  const back = uuidv7(new Date(1000));
  assert.ok(first < second);
  assert.ok(back < second);
  assert.notEqual(back, first);
});

test('the counter starts at random, so that two processes differ by more than the tail', () => {
  const starts = Array.from({ length: 100 }, (_, ms) => uuidv7(new Date(ms)).slice(14, 23));
  assert.ok(new Set(starts).size > 95);
});

const uuids = [
  '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  '017F22E2-79B0-7CC3-98C4-DC0C0C07398F',
  'c232ab00-9414-11ec-b3c8-9f6bdeced846',
  '919108f7-52d1-4320-9bac-f847db4148a8',
  '00000000-0000-0000-0000-000000000000',
];

const notUuids = [
  '',
  '017f22e279b07cc398c4dc0c0c07398f',
  '{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}',
  '017f22e2-79b0-7cc3-98c4-dc0c0c07398',
  '017f22e2-79b0-7cc3-98c4-dc0c0c07398g',
  ' 017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
  '017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n',
];

test('a UUID of any version and case is recognised, and other text is not', () => {
  for (const text of uuids) assert.equal(isUuid(text), true, text);
  for (const text of notUuids) assert.equal(isUuid(text), false, text);
});
