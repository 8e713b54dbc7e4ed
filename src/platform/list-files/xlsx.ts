import { BadFile } from './bad-file.ts';
import {
  badRow,
  isBlank,
  maxCells,
  maxRowBytes,
  maxText,
  type Row,
  tooManyCells,
  tooMuchText,
} from './list-row.ts';
import type { NumberFormat } from './number-format.ts';
import { findParts, openPackage, partOf } from './xlsx-package.ts';
import { noStrings, richText, type SharedStrings, sharedStrings } from './xlsx-strings.ts';
import { noStyles, readStyles, type Styles } from './xlsx-styles.ts';
import { type Attributes, readXml, type XmlHandler } from './xml.ts';

/** The limits of the format. ECMA-376 leaves them to the programs, and all keep to these. */
const maxRows = 1_048_576;
const maxColumns = 16_384;
/** Columns further to the right are left out. */
const keptColumns = 256;

/**
 * The rows of a workbook's first sheet, in batches. Cells are text: a date, a time or a percentage by its format, any
 * other number as Excel shows it without a format, or a formula's last value. Throws `BadFile`. Source:
 * docs/contract.md, section 5; ECMA-376, part 1, 18.3.1.
 */
export async function* xlsxRows(file: Buffer): AsyncGenerator<Row[]> {
  const workbook = await openPackage(file);
  const parts = await findParts(workbook);
  const strings =
    parts.sharedStrings === null ? noStrings : await sharedStrings(workbook, parts.sharedStrings);
  const styles =
    parts.styles === null ? noStyles : await readStyles(workbook, parts.styles, parts.isFrom1904);
  const sheet = sheetReader(strings, styles);
  for await (const _ of readXml(partOf(workbook, parts.sheet), sheet.handler)) yield sheet.taken();
  yield sheet.taken();
}

function sheetReader(strings: SharedStrings, styles: Styles): { handler: XmlHandler; taken(): Row[] } {
  const sheet = createSheet();
  const inline = richText('is', sheet.keep);
  let type = '';
  let format: NumberFormat | null = null;
  let value: string | null = null;

  const handler: XmlHandler = {
    open(name, attributes) {
      switch (name) {
        case 'row':
          sheet.beginRow(attributes);
          break;
        case 'c':
          sheet.beginCell(attributes);
          type = attributes.t ?? 'n';
          format = styles(attributes.s);
          break;
        case 'v':
          value = '';
          break;
        case 'f':
          sheet.noteFormula();
          break;
        default:
          inline.open(name);
      }
    },
    close(name) {
      switch (name) {
        case 'row':
          sheet.endRow();
          break;
        case 'v':
          sheet.keep(textOf({ type, value: value ?? '', format }, strings));
          value = null;
          break;
        default:
          inline.close(name);
      }
    },
    text(part) {
      if (value === null) inline.text(part);
      else if (value.length + part.length <= maxRowBytes) value += part;
    },
  };
  return { handler, taken: sheet.taken };
}

/** Collects rows from their cells, within the limits of a list. */
function createSheet() {
  let rows: Row[] = [];
  let line = 0;
  let cells: string[] = [];
  let column = 0;
  let cellCount = 0;
  let rowLength = 0;
  let textLength = 0;
  let hasFormula = false;

  return {
    beginRow(attributes: Attributes): void {
      line = nextLine(line, attributes);
      cells = [];
      column = 0;
      rowLength = 0;
      hasFormula = false;
    },

    beginCell({ r }: Attributes): void {
      column = columnOf(r) ?? column + 1;
      cellCount += 1;
      if (cellCount > maxCells) throw new BadFile(tooManyCells);
      if (column > maxColumns) throw new BadFile(`Line ${line} has more columns than a sheet can have.`);
    },

    /** Texts are counted at their use: a sheet of a few shared texts can be far larger than its file. */
    keep(text: string): void {
      if (column > keptColumns || text === '') return;
      rowLength += text.length;
      textLength += text.length;
      if (textLength > maxText) throw new BadFile(tooMuchText);
      while (cells.length < column) cells.push('');
      cells[column - 1] = text.toWellFormed();
    },

    /** A program may leave out a formula's value. Its row is not empty. */
    noteFormula(): void {
      hasFormula = true;
    },

    endRow(): void {
      if (rowLength > maxRowBytes) rows.push(badRow(line, 'The line is longer than 64 KiB.', cells));
      else if (hasFormula || !isBlank(cells)) rows.push({ line, cells });
    },

    taken(): Row[] {
      const batch = rows;
      rows = [];
      return batch;
    },
  };
}

/** Each row has a distinct number, whatever the file says. */
function nextLine(line: number, { r }: Attributes): number {
  const next = Math.max(line + 1, Number(r) || 0);
  if (!(next <= maxRows)) throw new BadFile('The sheet has more rows than a sheet can have.');
  return Math.trunc(next);
}

/** `AB12` is in column 28. Null if the cell has no reference. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference ?? '')?.[0];
  if (!letters) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

type Cell = { type: string; value: string; format: NumberFormat | null };

function textOf({ type, value, format }: Cell, strings: SharedStrings): string {
  switch (type) {
    case 's':
      return strings(Number(value));
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE';
    case 'n':
      return (value.trim() === '' ? null : format?.(Number(value))) ?? plainNumber(value);
    default:
      return value;
  }
}

/** `7.9991234567E10` is a phone number, and `1.1000000000000001` is 1.1: Excel itself shows 15 digits. */
function plainNumber(value: string): string {
  if (/^-?\d{1,15}$/.test(value)) return value;
  const number = Number(value);
  return value.trim() === '' || !Number.isFinite(number) ? value : String(Number(number.toPrecision(15)));
}
