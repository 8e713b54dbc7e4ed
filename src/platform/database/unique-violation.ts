/** Whether a statement failed because a row with the same key is there already; optionally a key of that name. */
export function isUniqueViolation(error: unknown, key?: string): boolean {
  if (!(error instanceof Error && 'code' in error && error.code === '23505')) return false;
  return key === undefined || ('constraint' in error && error.constraint === key);
}
