import { messageOf, OperatorError } from '#libs/domain';
import { describePostgresUrl, postgresUrlsOf } from '#libs/postgres';

/**
 * Refuses texts that are not PostgreSQL URLs.
 * @throws OperatorError
 */
export function checkUrl(url: string): void {
  if (postgresUrlsOf(url) === null) {
    throw new OperatorError('the database URL must have the form postgres://user:password@host:5432/database');
  }
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

function reasonOf(error: unknown, url: string): string {
  const database = describePostgresUrl(url).replace(/^[^/]*\//, '');
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return 'the connection was refused; is PostgreSQL running there?';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host name cannot be resolved';
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'the host cannot be reached';
    case '28P01':
    case '28000':
      return 'user or password were refused';
    case '3D000':
      return `the database "${database}" does not exist; create it first`;
    case '53300':
      return 'the server has no free connection';
    default:
      return messageOf(error);
  }
}

/** The message for the operator when the first connection fails. */
export function explainConnectError(error: unknown, url: string): OperatorError {
  return new OperatorError(`PostgreSQL at ${describePostgresUrl(url)}: ${reasonOf(error, url)}`, { cause: error });
}
