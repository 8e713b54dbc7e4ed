/** What some spreadsheet would take for a formula, or drop before one: in some languages a sign of full width is the sign. */
const formula = /^(\s*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n])/;

/**
 * A line of a CSV file, with its line end. An apostrophe disarms a cell that a spreadsheet would run, as OWASP
 * advises ("CSV Injection").
 */
export const csvLine = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => quoted(cell ?? '')).join(',')}\r\n`;

function quoted(cell: string): string {
  const harmless = formula.test(cell) ? `'${cell}` : cell;
  return /[",;\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
