/** Whether a statement failed because of a missing row behind this foreign key. */
export function isMissingRow(error: unknown, key: string): boolean {
  if (!(error instanceof Error && 'code' in error && 'constraint' in error)) return false;
  return error.code === '23503' && error.constraint === key;
}
