import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tenSizes } from '../../test/growth.ts';
import { fill, longestFilled, placeholdersOf } from './placeholders.ts';

test('names are found in the order of their first appearance, each once, spaces within included', () => {
  const text = '{{b}} {{ a }} {{b}} {{promocode:Spring sale}} {c} {{}} {{ }} {{имя}}';
  assert.deepEqual(placeholdersOf(text), ['b', 'a', 'promocode:Spring sale', 'имя']);
});

test('a placeholder gives way to its value, and to nothing where there is none', () => {
  const valueFor = (name: string) => (name === 'name' ? 'Ann $& {{name}}' : null);
  assert.equal(fill('Hi {{ name }}{{nobody}}! {{}}', valueFor), 'Hi Ann $& {{name}}! {{}}');
});

test('braces by the million are read in one go', () => {
  assert.deepEqual(placeholdersOf('{{ '.repeat(300_000)), []);
});

test('a text that asks for a long value often grows no further than it may, and looks no more values up', () => {
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
