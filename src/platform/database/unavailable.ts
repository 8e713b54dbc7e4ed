/**
 * Whether a statement failed because the database was unreachable or too slow, and not because of the statement. The
 * answer is 503, and a retry may succeed.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return false;
  return error.code === 'CONNECTION_LOST' || sqlStates.test(error.code);
}

/**
 * Connection exceptions, insufficient resources, shutdown and crash of the server, and statement timeout. Also a
 * server that has become a read-only standby. Source: PostgreSQL documentation, Appendix A.
 */
const sqlStates = /^(08...|53...|57P0[1-4]|57014|25006|25P03)$/;

const diskFull = '53100';
export const readOnlyTransaction = '25006';

/** The reason, for people, why an answering database refuses writes. Undefined for every other failure. */
export function whyUnwritable(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === diskFull) return 'Nothing can be written: the disk of the database is full.';
  return code === readOnlyTransaction
    ? 'Nothing can be written at present: the disk of the database is almost full, or the database is a standby.'
    : undefined;
}
