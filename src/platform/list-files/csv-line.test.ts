import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { csvLine, withoutApostrophe } from './csv-line.ts';

const cellOf = (cell: string): unknown => parse(csvLine([cell, 'end']))[0]?.[0];

test('no cell begins like a formula, in any width of its sign and after any white space', () => {
  const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫'];
  const spaces = ['', ' ', '\u00a0', '\u3000', '\t', '\r', '\n', ' \t'];
  const formulas = signs.flatMap((sign) => spaces.map((before) => `${before}${sign}SUM(A1)`));
  for (const cell of [...formulas, '\tSUM(A1)', '\rSUM(A1)', '\nSUM(A1)']) {
    assert.ok(String(cellOf(cell)).startsWith(`'${cell[0]}`), JSON.stringify(cell));
  }
});

/** With semicolons the quotation marks of our second cell are no quotation marks. */
const cellsWith = (delimiter: string, cell: string): string[] =>
  csvLine(['id', cell, 'end'])
    .split(/\r\n?|\n/)
    .flatMap((line) => line.split(delimiter));

test('no part of a cell begins like a formula where semicolons or tabs separate', () => {
  for (const text of [
    'a;=1+1;',
    'a;"=1+1";b',
    'a; +1',
    'a\t@SUM(A1)',
    'a\n=1+1',
    'a\r\n-1',
    'a;＝1',
    '=1;=2',
  ]) {
    for (const delimiter of [';', '\t']) {
      const parts = cellsWith(delimiter, text);
      assert.deepEqual(
        parts.filter((part) => /^[\s"]*[=+\-@＝]/.test(part)),
        [],
        JSON.stringify(text),
      );
    }
  }
});

test('any other cell stays unchanged', () => {
  for (const cell of ['SALE', 'a=b', '1+1', ' a', 'a,b;c', 'say "hi"', 'two\nlines', '≠', '']) {
    assert.equal(cellOf(cell), cell);
  }
});

test('a cell of our own file is read as it was', () => {
  for (const cell of ['+7 916', '=1+1', ' -1', '＋1', "'quoted'", "'", 'plain', "''=1"]) {
    assert.equal(withoutApostrophe(String(cellOf(cell))), cell);
  }
});
