/** Whether a statement failed because another row has the same key; optionally only a key of that name. */
export function isUniqueViolation(error: unknown, key?: string): boolean {
  if (!(error instanceof Error && 'code' in error && error.code === '23505')) return false;
  return key === undefined || ('constraint' in error && error.constraint === key);
}
