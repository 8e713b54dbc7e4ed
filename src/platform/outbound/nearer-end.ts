export type Slice = { limit: number; offset: number };

/**
 * The position of a page's rows, counted from the list's nearer end: the database walks past all rows before them.
 * `fromOldest` marks the end with the oldest rows.
 */
export function nearerEnd(count: number, { limit, offset }: Slice): Slice & { fromOldest: boolean } {
  if (offset * 2 < count) return { limit, offset, fromOldest: false };
  const older = count - offset - limit;
  return { limit: Math.max(0, limit + Math.min(0, older)), offset: Math.max(0, older), fromOldest: true };
}
