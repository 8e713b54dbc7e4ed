/**
 * Whether a statement failed because the database could not be asked or did not answer in time, and not because of
 * the statement: the answer is 503, and the same may work later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return false;
  return clientCodes.has(error.code) || sqlStates.test(error.code);
}

/** Of `ConnectionLost`, and those with which postgres.js rejects what waits in a pool that ends. */
const clientCodes = new Set([
  'CONNECTION_LOST',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
]);

/**
 * Connection exceptions, insufficient resources, shutdown and crash of the server, statement timeout, and a server that
 * has become a read-only standby.
 * Source: PostgreSQL documentation, Appendix A.
 */
const sqlStates = /^(08...|53...|57P0[1-4]|57014|25006|25P03)$/;
