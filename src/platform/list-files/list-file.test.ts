import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { BadFile } from './bad-file.ts';
import { type ListLine, readListFile, type Wanted } from './list-file.ts';

const byPhone: Wanted = { heading: 'phone_number', orFirstColumn: false };

async function linesOf(file: Buffer | string, wanted = byPhone): Promise<ListLine[]> {
  const lines: ListLine[] = [];
  for await (const batch of readListFile(Buffer.from(file), wanted)) lines.push(...batch);
  return lines;
}

/** The reading of each line: `line identifier {variables}`, or `line: problem`. */
const shown = async (file: Buffer | string, wanted?: Wanted): Promise<string[]> =>
  (await linesOf(file, wanted)).map((entry) =>
    'problem' in entry
      ? `${entry.line}: ${entry.problem} [${entry.text}]`
      : `${entry.line} ${entry.identifier}${entry.variables ? ` ${JSON.stringify(entry.variables)}` : ''}`,
  );

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const windows1251 = Buffer.from([...Buffer.from('phone_number,name\n1,'), 0xc0, 0xed, 0xed, 0xe0]);

// biome-ignore format: a table is read in columns
const good: [what: string, file: Buffer | string, lines: string[]][] = [
  ['one column', 'phone_number\n00123\n+7999\n', ['2 00123', '3 +7999']],
  ['no line end at the end', 'phone_number\n1', ['2 1']],
  ['a byte order mark', '\ufeffphone_number\n1\n', ['2 1']],
  ['a heading in another case, with spaces', ' Phone_Number \n1\n', ['2 1']],
  ['Windows’ line ends', 'phone_number\r\n1\r\n2\r\n', ['2 1', '3 2']],
  ['old line ends', 'phone_number\r1\r2', ['2 1', '3 2']],
  ['mixed line ends', 'phone_number\n1\r\n2\r3', ['2 1', '3 2', '4 3']],
  ['other columns', 'name,phone_number,city\nAnn,1,Oslo\n', ['2 1 {"name":"Ann","city":"Oslo"}']],
  ['semicolons', 'name;phone_number\nAnn, the first;1\n', ['2 1 {"name":"Ann, the first"}']],
  ['a comma in a quoted heading', '"a,b,c";phone_number\nAnn;1\n', ['2 1 {"a,b,c":"Ann"}']],
  ['quotes', 'phone_number,name\n"1","Ann ""A"" B,\nC"\n2,x\n', ['2 1 {"name":"Ann \\"A\\" B,\\nC"}', '3 2 {"name":"x"}']],
  ['a quote within a cell', 'phone_number,name\n1,12" pipe\n', ['2 1 {"name":"12\\" pipe"}']],
  ['empty lines, and those of a sheet', '\nphone_number,name\n\n1,x\n,\n ,\n2,y\n\n', ['4 1 {"name":"x"}', '7 2 {"name":"y"}']],
  ['spaces around cells', 'phone_number,name\n 1\t, Ann B \n', ['2 1 {"name":"Ann B"}']],
  ['spaces around quoted cells', 'phone_number,name\n" 1\t"," Ann "\n', ['2  1\t {"name":" Ann "}']],
  ['other white space around cells', 'phone_number\n\u00a01\u2028\n"\n1\u3000"\n', ['2 1', '3 \n1\u3000']],
  ['a delimiter too many at the end', 'phone_number,name\n1,x,\n', ['2 1 {"name":"x"}']],
  ['a column without a heading', 'phone_number,,name\n1,2,3\n', ['2 1 {"name":"3"}']],
  ['a heading of a prototype', 'phone_number,__proto__,constructor\n1,2,3\n', ['2 1 {"__proto__":"2","constructor":"3"}']],
  ['any script', 'phone_number,имя\n1,Анна 😀\n', ['2 1 {"имя":"Анна 😀"}']],
  ['UTF-16 with its mark', utf16('phone_number;имя\r\n1;Анна\r\n'), ['2 1 {"имя":"Анна"}']],
  ['gzip', gzipSync('phone_number\n1\n'), ['2 1']],
  ['a heading alone', 'phone_number\n', []],
  ['a first line that ends with separators', 'phone_number,name,,\n1,x\n2,y,,\n3,z,,w\n', ['2 1 {"name":"x"}', '3 2 {"name":"y"}', '4: The line has 4 columns, and the first one 2. [3, z, , w]']],
  ['too few columns', 'phone_number,name\n1\n2,x\n', ['2: The line has 1 columns, and the first one 2. [1]', '3 2 {"name":"x"}']],
  ['too many columns', 'phone_number\n1,2\n3\n', ['2: The line has 2 columns, and the first one 1. [1, 2]', '3 3']],
  ['no identifier', 'phone_number,name\n ,Ann\n1,x\n', ['2: The identifier is missing. [, Ann]', '3 1 {"name":"x"}']],
  ['a long identifier', `phone_number\n${'1'.repeat(1025)}\n2\n`, [`2: The identifier is longer than 1024 characters. [${'1'.repeat(100)}]`, '3 2']],
  ['an identifier of emoji', `phone_number\n${'😀'.repeat(1024)}\n`, [`2 ${'😀'.repeat(1024)}`]],
  ['a long line', `phone_number,x\n1,${'y'.repeat(66_000)}\n2,z\n`, [`2: The line is longer than 64 KiB. [1, ${'y'.repeat(97)}]`, '3 2 {"x":"z"}']],
];

test('a list is read literally, and a bad line is named', async () => {
  for (const [what, file, lines] of good) assert.deepEqual(await shown(file), lines, what);
});

// biome-ignore format: a table is read in columns
const bad: [what: string, file: Buffer | string, refusal: RegExp][] = [
  ['nothing', '', /^The file is empty\.$/],
  ['a mark alone', '\ufeff', /^The file is empty\.$/],
  ['empty lines', '\n\n,,\n', /^The file is empty\.$/],
  ['nothing in gzip', gzipSync(''), /^The file is empty\.$/],
  ['another heading', 'phone, "name"\n1,2\n', /^The file has no column "phone_number"\. Its columns: "phone", ".*name.*"\.$/],
  ['many other headings', `${'a'.repeat(5000)},${'b,'.repeat(20_000)}\n`, /^.{0,400}$/],
  ['an old encoding', windows1251, /not in UTF-8; it may be in Windows-1251/],
  ['half a character at the end', Buffer.from('phone_number\n\ud83d\ude00').subarray(0, -1), /not in UTF-8/],
  ['half of UTF-16', utf16('phone_number\n1').subarray(0, -1), /begins as one in UTF-16LE, and is not/],
  ['UTF-16 without its mark', utf16('phone_number\n1').subarray(2), /binary data/],
  ['binary', Buffer.alloc(1000), /binary data/],
  ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), /old or a protected Excel workbook/],
  ['a PDF', '%PDF-1.7\n', /a PDF document/],
  ['half a gzip', gzipSync('phone_number\n1\n').subarray(0, 20), /damaged: it cannot be unpacked/],
  ['gzip in gzip', gzipSync(gzipSync('phone_number\n1\n')), /not in UTF-8|binary data/],
  ['a quote that never ends', 'phone_number\n1\n"2\n3\n4\n', /quotation mark is not closed after line 2/],
  ['a quote that ends too late', `phone_number\n1\n"2\n${'3\n'.repeat(200_000)}`, /^Line 3 is longer than 64 KiB, or a quotation mark/],
  ['a line without end', gzipSync(`phone_number\n${'1'.repeat(10_000_000)}`), /^Line 2 is longer than 64 KiB/],
  ['lines without end', gzipSync(`phone_number\n${'1\n'.repeat(1_000_001)}`), /more than 1,000,000 lines/],
  ['cells without end', gzipSync(`phone_number\n${`${','.repeat(60_000)}\n`.repeat(170)}`), /more than 10,000,000 cells/],
];

test('a file that is no list is refused in words, and none of its lines are read', async () => {
  for (const [what, file, refusal] of bad) {
    await assert.rejects(linesOf(file), (error) => {
      assert.ok(error instanceof BadFile, `${what}: ${error}`);
      assert.match(error.message, refusal, what);
      return true;
    });
  }
});

test('without its heading a list may be the first column, headed or not', async () => {
  const phones: Wanted = { heading: 'phone', orFirstColumn: true };
  assert.deepEqual(await shown('name,Phone\nAnn,1\n', phones), ['2 1 {"name":"Ann"}']);
  assert.deepEqual(await shown('номер,имя\n1,Ann\n', phones), ['2 1 {"имя":"Ann"}']);
  assert.deepEqual(await shown('+7 999,Ann\n2,Bob\n', phones), ['1 +7 999', '2 2']);
});

test('a million lines are read to the last one', async () => {
  const file = Buffer.from(`phone_number\n${Array.from({ length: 1_000_000 }, (_, n) => n).join('\n')}`);
  let lines = 0;
  for await (const batch of readListFile(file, byPhone)) lines += batch.length;
  assert.equal(lines, 1_000_000);
});

test('every cell is read unchanged, wherever the pieces of the file end', async () => {
  const cell = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[",;\r\n x]*$/));
  const quoted = (some: string) => `"${some.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.stringMatching(/^[!-~]+$/), cell), { minLength: 1 }),
      fc.constantFrom(',', ';'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 0, max: 70 }),
      async (rows, delimiter, lineEnd, shift) => {
        // The pieces have 64 KiB. A first row nearly as long puts the end of one among the others.
        const filler = ['filler', 'x'.repeat(65_450 + shift)];
        const all = [['phone_number', 'cell'], filler, ...rows];
        const file = all.map((row) => row.map(quoted).join(delimiter)).join(lineEnd);
        const found = (await linesOf(file)).slice(1);
        assert.deepEqual(
          found.map((line) => ('problem' in line ? line : [line.identifier, line.variables?.cell])),
          rows.map(([id, text]) => [id, text.toWellFormed()]),
        );
      },
    ),
    { numRuns: 100 },
  );
});
