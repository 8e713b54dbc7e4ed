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
