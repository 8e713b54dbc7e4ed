import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from './csv.ts';

test('no cell begins as a formula does, in any width of its sign and behind any white space', () => {
  for (const sign of ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫']) {
    for (const before of ['', ' ', '\u3000', '\t', '\r', '\n']) {
      const cell = `${before}${sign}SUM(A1)`;
      assert.ok(csvOf([[cell]]).startsWith(`"'${cell[0]}`), JSON.stringify(cell));
    }
  }
});

test('no part of a cell begins as a formula does where semicolons separate', () => {
  const [, part] = csvOf([['id', 'a;=1+1;']]).split(';');
  assert.equal(part, "'=1+1");
});

test('a telephone number is what it was, and any other cell', () => {
  for (const cell of ['+12025550101', '-5', '+1 202 555', 'client-7', '']) {
    assert.equal(csvOf([[cell]]), `"${cell}"\r\n`);
  }
});
