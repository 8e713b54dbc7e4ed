/**
 * The first characters that make some spreadsheet see a formula, or that it drops before one. Some languages treat a
 * full-width sign as the sign.
 */
const formula = /^(\s*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/;

/** Where commas are decimal signs, spreadsheets separate by semicolons, and read quotation marks within a line as text. */
const laterFormula = /([;\t\r\n][ "]*)(?=[=+\-@＝＋－＠﹦﹢﹣﹫])/g;

/**
 * A line of a CSV file, with its line end. An apostrophe disarms a cell that a spreadsheet would run, as OWASP
 * advises ("CSV Injection").
 */
export const csvLine = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => quoted(cell ?? '')).join(',')}\r\n`;

/** A cell without the apostrophe that `csvLine` has put before it: our own files come back as lists. */
export function withoutApostrophe(cell: string): string {
  const inside = cell.slice(1);
  return cell.startsWith("'") && formula.test(inside) ? inside : cell;
}

function quoted(cell: string): string {
  const harmless = (formula.test(cell) ? `'${cell}` : cell).replace(laterFormula, "$1'");
  return /[",;\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
