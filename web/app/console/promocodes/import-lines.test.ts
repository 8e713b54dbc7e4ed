import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstCell, type Line, linesOfFile, linesOfText } from './import-lines.ts';
import { type Outcome, runImport } from './run-import.ts';

async function codesOf(lines: AsyncIterable<Line>): Promise<string[]> {
  const codes = [];
  for await (const { number, code } of lines) codes.push(`${number} ${code}`);
  return codes;
}

test('each line of a list is one code, with any line break and any content', async () => {
  assert.deepEqual(await codesOf(linesOfText('a,b\r\nc;d\n\n"e"\rf')), [
    '1 a,b',
    '2 c;d',
    '3 ',
    '4 "e"',
    '5 f',
  ]);
  assert.deepEqual(await codesOf(linesOfText('a\n')), ['1 a']);
});

test('a table gives its first column, without its heading and without our own apostrophe', async () => {
  const table = '\uFEFFCode;status\r\n"A;1";x\r\n"say ""hi""";x\r\n\'=SUM(1);x\r\nB\tx\r\n';
  let read = 0;
  const file = new File([table], 'codes.csv');
  const note = (bytes: number) => {
    read += bytes;
  };
  assert.deepEqual(await codesOf(linesOfFile(file, note)), ['2 A;1', '3 say "hi"', '4 =SUM(1)', '5 B']);
  assert.equal(read, file.size);
  assert.deepEqual(await codesOf(linesOfFile(new File(['a,b\n'], 'codes.TXT'), note)), ['1 a,b']);
  assert.equal(firstCell("'tis"), "'tis");
});

test('lines are sent in blocks, and each line that was not added is reported', async () => {
  const blocks: number[] = [];
  const text = [...Array.from({ length: 2_499 }, (_, index) => `C${index}`), 'bad\0', 'x'.repeat(5_000)].join(
    '\n',
  );
  const longest: number[] = [];
  const send = async ({ lines }: { lines: string[] }) => {
    blocks.push(lines.length);
    longest.push(Math.max(...lines.map((line) => line.length)));
    return {
      results: lines.map((line) => (line.length > 1_024 ? ('too_long' as const) : ('added' as const))),
    };
  };
  let last: Outcome | undefined;
  for await (const outcome of runImport(linesOfText(text), null, send)) last = outcome;
  assert.deepEqual(blocks, [1_000, 1_000, 500]);
  assert.equal(longest.at(-1), 1_025);
  assert.deepEqual(last?.counts, { added: 2_499, duplicate: 0, too_long: 1, blank: 0, unreadable: 1 });
  assert.deepEqual(
    last?.problems.map(({ number, fate }) => [number, fate]),
    [
      [2_500, 'unreadable'],
      [2_501, 'too_long'],
    ],
  );
});
