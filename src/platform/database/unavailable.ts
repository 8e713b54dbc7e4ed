/**
 * Whether a statement failed because the database could not be asked or did not answer in time, and not because of
 * the statement: the answer is 503, and the same may work later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return false;
  return error.code === 'CONNECTION_LOST' || sqlStates.test(error.code);
}

/**
 * Connection exceptions, insufficient resources, shutdown and crash of the server, statement timeout, and a server that
 * has become a read-only standby.
 * Source: PostgreSQL documentation, Appendix A.
 */
const sqlStates = /^(08...|53...|57P0[1-4]|57014|25006|25P03)$/;

const diskFull = '53100';
export const readOnlyTransaction = '25006';

/** Why a database that answers cannot be written to, for people; undefined for every other failure. */
export function whyUnwritable(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === diskFull) return 'Nothing can be written: the disk of the database is full.';
  return code === readOnlyTransaction
    ? 'Nothing can be written at present: the disk of the database is almost full, or the database is a standby.'
    : undefined;
}
