import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill, placeholdersOf } from './placeholders.ts';

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
