import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tenSizes } from '../../test/growth.ts';
import { fill, longestFilled, placeholdersOf } from './placeholders.ts';

test('names are found once, in the order of their first appearance, with their inner spaces', () => {
  const text = '{{b}} {{ a }} {{b}} {{promocode:Spring sale}} {c} {{}} {{ }} {{имя}}';
  assert.deepEqual(placeholdersOf(text), ['b', 'a', 'promocode:Spring sale', 'имя']);
});

test('a placeholder becomes its value, or nothing without a value', () => {
  const valueFor = (name: string) => (name === 'name' ? 'Ann $& {{name}}' : null);
  assert.equal(fill('Hi {{ name }}{{nobody}}! {{}}', valueFor), 'Hi Ann $& {{name}}! {{}}');
});

test('braces by the million are read in one pass', () => {
  assert.deepEqual(placeholdersOf('{{ '.repeat(300_000)), []);
});

test('a text with many long values stops growing at its limit, and looks up no more values', () => {
  const value = 'x'.repeat(16_384);
  for (const size of tenSizes(800)) {
    let asked = 0;
    const filled = fill('{{a}}'.repeat(size), () => {
      asked += 1;
      return value;
    });
    assert.ok(filled.length <= longestFilled + value.length, `${filled.length}`);
    assert.equal(asked, 5);
  }
});
