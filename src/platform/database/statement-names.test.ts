import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStatementNames } from './statement-names.ts';

const mostNames = 1_000;
const mostSeen = 10_000;

test('a text that comes again has a name of its own, and one that comes once has none', () => {
  const nameOf = createStatementNames();
  assert.equal(nameOf('one'), undefined);
  assert.equal(nameOf('two'), undefined);
  const [one, two] = [nameOf('one'), nameOf('two')];
  assert.ok(one !== undefined && two !== undefined && one !== two);
  assert.equal(nameOf('one'), one);
});

test('there are a thousand names and no more, and they stay what they are', () => {
  const nameOf = createStatementNames();
  const named = (n: number) => [nameOf(`${n}`), nameOf(`${n}`)][1];
  const names = Array.from({ length: mostNames }, (_, n) => named(n));
  assert.equal(new Set(names).size, mostNames);
  assert.equal(named(mostNames), undefined);
  assert.equal(nameOf('0'), names[0]);
});

test('ten thousand texts that came once are remembered, and no more', () => {
  const nameOf = createStatementNames();
  for (let n = 0; n < mostSeen; n += 1) nameOf(`${n}`);
  assert.ok(nameOf('0'));
  nameOf('another');
  nameOf('one more');
  assert.equal(nameOf('1'), undefined);
});
