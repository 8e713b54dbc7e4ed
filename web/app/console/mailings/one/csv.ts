/** What some spreadsheet would take for a formula, as the server's export has it; a telephone number is none. */
const formula = /^\s*([=@＝＠﹦﹫]|[+\-＋－﹢﹣](?!\d[\d ]*$))|^[\t\r\n]/;

/** Rows as CSV that a spreadsheet opens without running anything in it. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

const cell = (text: string): string => `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** Gives the reader a text as a file. The mark at its beginning tells spreadsheets that it is UTF-8. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([`\ufeff${text}`], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
