/** The first characters of a formula in a spreadsheet. */
const formula = /^[=+\-@\t\r]/;

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
