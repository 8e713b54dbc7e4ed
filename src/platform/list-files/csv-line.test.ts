import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { csvLine } from './csv-line.ts';

const cellOf = (cell: string): unknown => parse(csvLine([cell, 'end']))[0]?.[0];

test('no cell begins like a formula, in any width of its sign and after any white space', () => {
  const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫'];
  const spaces = ['', ' ', '\u00a0', '\u3000', '\t', '\r', '\n', ' \t'];
  const formulas = signs.flatMap((sign) => spaces.map((before) => `${before}${sign}SUM(A1)`));
  for (const cell of [...formulas, '\tSUM(A1)', '\rSUM(A1)', '\nSUM(A1)']) {
    assert.equal(cellOf(cell), `'${cell}`, JSON.stringify(cell));
  }
});

test('any other cell stays unchanged', () => {
  for (const cell of ['SALE', 'a=b', '1+1', ' a', 'a,b;c', 'say "hi"', 'two\nlines', '≠', '']) {
    assert.equal(cellOf(cell), cell);
  }
});
