/** Text that some spreadsheet would treat as a formula, as in the server's export. Phone numbers are excluded. */
const formula = /^\s*([=@＝＠﹦﹫]|[+\-＋－﹢﹣](?!\d[\d ]*$))|^[\t\r\n]/;

/** The same where semicolons or tabs separate, and quotation marks within a line are text. */
const laterFormula = /([;\t\r\n][ "]*)(?=[=+\-@＝＋－＠﹦﹢﹣﹫])/g;

/** CSV rows that a spreadsheet opens without running formulas. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

const harmless = (text: string): string =>
  (formula.test(text) ? `'${text}` : text).replace(laterFormula, "$1'");

const cell = (text: string): string => `"${harmless(text).replaceAll('"', '""')}"`;

/** Downloads a text as a file. The byte order mark tells spreadsheets that it is UTF-8. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([`\ufeff${text}`], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
