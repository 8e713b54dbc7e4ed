import { type Parser, parse } from 'csv-parse';
import { BadFile } from './bad-file.ts';
import { decoded } from './decode.ts';
import {
  badRow,
  isBlank,
  maxCells,
  maxLines,
  maxRowBytes,
  type Row,
  tooManyCells,
  tooManyLines,
} from './list-row.ts';
import { unpacked } from './unpack.ts';

/**
 * The rows of a CSV file, plain or in gzip, in batches. The first line decides between `,` and `;`. Cells may be
 * quoted, with any line ends. Only unquoted cells lose outer white space. A row with other columns than the first
 * one is a bad row. Throws `BadFile`. Source: docs/contract.md, section 5.
 */
export async function* csvRows(file: Buffer): AsyncGenerator<Row[]> {
  let reading: Reading | null = null;
  for await (const text of decoded(unpacked(file))) {
    if (text.includes('\0')) throw new BadFile('The file is not a CSV file: it holds binary data.');
    reading ??= beginReading(delimiterOf(text));
    await write(reading, text);
    yield taken(reading);
  }
  if (!reading) return;
  await end(reading);
  yield taken(reading);
}

/** The delimiter that the first line has more of, outside of quotes. */
function delimiterOf(text: string): ',' | ';' {
  const [first = ''] = text
    .replace(/"[^"]*"/g, '')
    .trimStart()
    .split(/[\r\n]/, 1);
  return first.split(';').length > first.split(',').length ? ';' : ',';
}

type Reading = {
  parser: Parser;
  rows: Row[];
  line: number;
  cells: number;
  /** The number of columns in the first row. */
  width: number;
  /** The bytes given to the parser, and the bytes that have become rows. */
  written: number;
  read: number;
};

/**
 * The parser passes its rows to us and none to its stream: a stream of a million objects costs more than parsing
 * them.
 */
function beginReading(delimiter: string): Reading {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    trim: true,
    on_record(cells: string[], { bytes }) {
      const row = rowOf(reading, cells, bytes - reading.read);
      if (row) reading.rows.push(row);
      reading.read = bytes;
      // The parser makes an error with a stack for every row with other columns than its first. That takes twenty
      // times as long as the row. The reset makes each row its first.
      Object.assign(parser.info, { records: 0 });
      return null;
    },
  });
  // The same error rejects the calls below.
  parser.on('error', () => {});
  const reading: Reading = { parser, rows: [], line: 0, cells: 0, width: 0, written: 0, read: 0 };
  return reading;
}

function rowOf(reading: Reading, cells: readonly string[], bytes: number): Row | null {
  reading.line += 1;
  reading.cells += cells.length;
  if (reading.cells > maxCells) throw new BadFile(tooManyCells);
  // Empty lines are not lines of the list, but they still count towards the limit.
  if (reading.line > 2 * maxLines) throw new BadFile(tooManyLines);
  if (bytes > maxRowBytes) return badRow(reading.line, 'The line is longer than 64 KiB.', cells);
  if (isBlank(cells)) return null;
  reading.width ||= headedIn(cells);
  if (cells.length < reading.width || !isBlank(cells.slice(reading.width))) {
    const problem = `The line has ${cells.length} columns, and the first one ${reading.width}.`;
    return badRow(reading.line, problem, cells);
  }
  return { line: reading.line, cells };
}

/** Empty columns at the end of the first row do not count. */
const headedIn = (first: readonly string[]): number => first.findLastIndex((cell) => cell.trim() !== '') + 1;

/** A line without end would be collected forever, and its columns with it. */
async function write(reading: Reading, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await called(reading, (done) => reading.parser.write(bytes, done));
  reading.written += bytes.length;
  if (reading.written - reading.read > 2 * maxRowBytes) {
    throw new BadFile(
      `Line ${reading.line + 1} is longer than 64 KiB, or a quotation mark is not closed in it.`,
    );
  }
}

const end = (reading: Reading): Promise<void> => called(reading, (done) => reading.parser.end(done));

async function called(reading: Reading, call: (done: (error?: Error | null) => void) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  call((error) => (error ? reject(error) : resolve()));
  await promise.catch((error) => {
    if (error instanceof BadFile) throw error;
    throw new BadFile(`A quotation mark is not closed after line ${reading.line}.`, { cause: error });
  });
}

function taken(reading: Reading): Row[] {
  const { rows } = reading;
  reading.rows = [];
  return rows;
}
