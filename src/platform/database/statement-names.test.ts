import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStatementNames } from './statement-names.ts';

const mostNames = 1_000;
const mostSeen = 10_000;

test('a repeated text gets its own name, and a text that occurs once gets none', () => {
  const nameOf = createStatementNames();
  assert.equal(nameOf('one'), undefined);
  assert.equal(nameOf('two'), undefined);
  const [one, two] = [nameOf('one'), nameOf('two')];
  assert.ok(one !== undefined && two !== undefined && one !== two);
  assert.equal(nameOf('one'), one);
});

test('a thousand names are given at most, and they never change', () => {
  const nameOf = createStatementNames();
  const named = (n: number) => [nameOf(`${n}`), nameOf(`${n}`)][1];
  const names = Array.from({ length: mostNames }, (_, n) => named(n));
  assert.equal(new Set(names).size, mostNames);
  assert.equal(named(mostNames), undefined);
  assert.equal(nameOf('0'), names[0]);
});

test('ten thousand texts that occurred once are remembered at most', () => {
  const nameOf = createStatementNames();
  for (let n = 0; n < mostSeen; n += 1) nameOf(`${n}`);
  assert.ok(nameOf('0'));
  nameOf('another');
  nameOf('one more');
  assert.equal(nameOf('1'), undefined);
});
