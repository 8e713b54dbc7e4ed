export type Slice = { limit: number; offset: number };

/**
 * Where the rows of a page are when counted from the list's nearer end: the database walks past everything that lies before
 * them. `fromOldest` says that it is the end where the oldest are.
 */
export function nearerEnd(count: number, { limit, offset }: Slice): Slice & { fromOldest: boolean } {
  if (offset * 2 < count) return { limit, offset, fromOldest: false };
  const older = count - offset - limit;
  return { limit: Math.max(0, limit + Math.min(0, older)), offset: Math.max(0, older), fromOldest: true };
}
