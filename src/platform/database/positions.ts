/** The rows in the order of what was asked. Each row has the position of its question, and no question has two. */
export function inPositions<Row extends { position: number }>(
  asked: readonly unknown[],
  rows: readonly Row[],
): (Omit<Row, 'position'> | undefined)[] {
  const found = new Map(rows.map(({ position, ...row }) => [position, row]));
  return asked.map((_, position) => found.get(position));
}
