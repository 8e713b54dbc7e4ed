import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeAt, rangeAt, stepsIn } from './json-tree.ts';

const source = `{
  "name": "A",
  "steps": [
    { "id": "hi", "type": "message", "text": "Hi", "buttons": [{ "text": "x", "next": "no" }] },
    { "id": "a/b", "keep": { "c": {} }, "" }
  ]
}`;

const at = (pointer: string): string => {
  const { from, to } = rangeAt(source, pointer);
  return source.slice(from, to);
};

test('an error is shown at its value, or at the nearest ancestor of a missing value', () => {
  assert.equal(at('/steps/0/buttons/0/next'), '"no"');
  assert.equal(at('/steps/0/buttons'), '"buttons"');
  assert.equal(at('/steps/0/image'), '"hi"');
  assert.equal(at('/steps/1/keep/c'), '"c"');
  assert.equal(at('/start'), '{');
  assert.equal(at('/steps/7'), '"steps"');
});

test('an incomplete file still gives the places of its steps and the current token', () => {
  assert.deepEqual(
    stepsIn(source).map(({ id }) => id),
    ['hi', 'a/b'],
  );
  const name = placeAt(source, source.indexOf('""') + 1);
  assert.deepEqual([name?.path, name?.kind], [['steps', '1'], { what: 'name' }]);
  const value = placeAt(source, source.indexOf('"no"') + 1);
  assert.deepEqual(
    [value?.path, value?.kind],
    [['steps', '0', 'buttons', '0'], { what: 'value', of: 'next' }],
  );
});
