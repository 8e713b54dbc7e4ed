import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from './csv.ts';

test('no cell begins as a formula does, in any width of its sign and behind any white space', () => {
  for (const sign of ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫']) {
    for (const before of ['', ' ', '\u3000', '\t', '\r', '\n']) {
      const cell = `${before}${sign}SUM(A1)`;
      assert.equal(csvOf([[cell]]), `"'${cell}"\r\n`, JSON.stringify(cell));
    }
  }
});

test('a telephone number is what it was, and any other cell', () => {
  for (const cell of ['+12025550101', '-5', '+1 202 555', 'client-7', '']) {
    assert.equal(csvOf([[cell]]), `"${cell}"\r\n`);
  }
});
