/** One button per row while there is room: labels of any length stay readable on a phone. */
export function rowsOf<Button>(buttons: readonly Button[], mostRows: number): Button[][] {
  const perRow = Math.max(1, Math.ceil(buttons.length / mostRows));
  const rows = Math.ceil(buttons.length / perRow);
  return Array.from({ length: rows }, (_, row) => buttons.slice(row * perRow, (row + 1) * perRow));
}
