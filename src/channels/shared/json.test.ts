import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonIn, textsOf } from './json.ts';

test('a provider’s id keeps its digits, also beyond a number’s precision', () => {
  const idIn = (digits: string): string => String(jsonIn(Buffer.from(digits)));
  assert.equal(idIn('3000000000817031942'), '3000000000817031942');
  // A number holds it, and is written as 3000000000817032000.
  assert.equal(idIn('3000000000817032192'), '3000000000817032192');
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n }), (id) => assert.equal(idIn(String(id)), String(id))),
  );
});

test('a provider’s other number stays a number, however many digits it has', () => {
  assert.deepEqual(jsonIn(Buffer.from('[55.7539612345678901234, 1.0, 1e2]')), [55.75396123456789, 1, 100]);
});

test('what is sent as texts has its other values in JSON', () => {
  assert.deepEqual(textsOf({ text: '1', id: 1, rows: [{ a: 'b' }] }), {
    text: '1',
    id: '1',
    rows: '[{"a":"b"}]',
  });
});
