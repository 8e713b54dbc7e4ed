import { isLongerThan } from '../characters.ts';
import { BadFile } from './bad-file.ts';
import { csvRows } from './csv.ts';
import { type BadRow, badRow, maxLines, type Row, tooManyLines } from './list-row.ts';
import { xlsxRows } from './xlsx.ts';

/**
 * A line of the list: the identifier, and the other cells by their headings. `variables` is null without other cells.
 */
export type ListLine =
  | { line: number; identifier: string; variables: { [heading: string]: string } | null }
  | BadRow;

export type Wanted = {
  /** The heading of the identifiers' column, in lower case. */
  heading: string;
  /** Without that heading: the first column, which may have none at all. */
  orFirstColumn: boolean;
};

const maxIdentifier = 1024;

/**
 * The lines of a list in batches and in order, without empty ones. The first bytes decide between CSV (plain or in
 * gzip) and XLSX. Identifiers are literal text: `00123` keeps its zeros, and `" x"` its space. Throws `BadFile`; a list
 * of more than 1,000,000 lines fails at the first line too many. Source: docs/contract.md, section 5.
 */
export async function* readListFile(file: Buffer, wanted: Wanted): AsyncGenerator<ListLine[]> {
  let columns: Columns | null = null;
  let count = 0;
  for await (const rows of rowsOf(file)) {
    const lines: ListLine[] = [];
    for (const row of rows) {
      if (!columns) {
        if ('problem' in row) throw new BadFile(`Line ${row.line}: ${row.problem}`);
        columns = columnsOf(row.cells, wanted);
        if (columns.headed) continue;
      }
      lines.push(lineOf(row, columns));
    }
    count += lines.length;
    if (count > maxLines) throw new BadFile(tooManyLines);
    if (lines.length > 0) yield lines;
  }
  if (!columns) throw new BadFile('The file is empty.');
}

function rowsOf(file: Buffer): AsyncIterable<Row[]> {
  if (file.subarray(0, 4).equals(zipStart)) return xlsxRows(file);
  if (file.subarray(0, 4).equals(oldOfficeStart)) {
    throw new BadFile(
      'The file is an old or a protected Excel workbook. Save it as XLSX without a password.',
    );
  }
  if (file.subarray(0, 4).equals(pdfStart)) throw new BadFile('The file is a PDF document, and no list.');
  return csvRows(file);
}

const zipStart = Buffer.from('PK\x03\x04');
const oldOfficeStart = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
const pdfStart = Buffer.from('%PDF');

type Columns = { identifier: number; others: [heading: string, index: number][]; headed: boolean };

function columnsOf(first: readonly string[], { heading, orFirstColumn }: Wanted): Columns {
  const headings = first.map((cell) => cell.trim());
  const found = headings.findIndex((some) => some.toLowerCase() === heading);
  if (found === -1 && !orFirstColumn) throw new BadFile(missing(heading, headings));
  const identifier = Math.max(found, 0);
  // A heading has no digits, and the values of an unheaded first column have.
  const headed = found !== -1 || !/\d/.test(headings[0] ?? '');
  const others = headed
    ? [...headings.entries()]
        .filter(([index, name]) => index !== identifier && name !== '')
        .map(([index, name]): [string, number] => [name, index])
    : [];
  return { identifier, others, headed };
}

function missing(heading: string, headings: readonly string[]): string {
  const shown = headings.slice(0, 20).map((some) => `"${some.slice(0, 50)}"`);
  return `The file has no column "${heading}". Its columns: ${shown.join(', ')}.`;
}

function lineOf(row: Row, { identifier: index, others }: Columns): ListLine {
  if ('problem' in row) return row;
  const { line, cells } = row;
  const identifier = cells[index] ?? '';
  if (identifier.trim() === '') return badRow(line, 'The identifier is missing.', cells);
  if (isLongerThan(identifier, maxIdentifier))
    return badRow(line, 'The identifier is longer than 1024 characters.', cells);
  if (others.length === 0) return { line, identifier, variables: null };
  return {
    line,
    identifier,
    variables: Object.fromEntries(others.map(([name, at]) => [name, cells[at] ?? ''])),
  };
}
