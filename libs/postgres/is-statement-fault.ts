/**
 * SQLSTATE classes in which the statement or its values are at fault: not supported, cardinality, data, integrity,
 * syntax or access, program limit. All others speak of the connection or the server.
 */
const statementClasses = new Set(['0A', '21', '22', '23', '42', '54']);
/** As PostgreSQL writes them. Codes of sockets, such as `EPIPE`, start with an E. */
const sqlState = /^[0-9FHPX][0-9A-Z]{4}$/;

/**
 * Whether PostgreSQL refused this one statement, so that others may still succeed. False for faults of connections and
 * servers.
 */
export function isStatementFault(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return sqlState.test(error.code) && statementClasses.has(error.code.slice(0, 2));
}
