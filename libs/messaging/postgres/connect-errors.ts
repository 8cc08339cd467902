import { InvalidInputError, messageOf, OperatorError } from '#libs/domain';
import { describePostgresUrl, postgresUrlsOf } from '#libs/postgres';

/** @throws InvalidInputError when this is not a PostgreSQL URL; the text never repeats the URL, it may hold a password. */
export function checkDatabaseUrl(text: string): void {
  if (postgresUrlsOf(text) !== null) return;
  throw new InvalidInputError('VIGIL_DATABASE_URL', 'must look like postgres://user:password@host:5432/database');
}

/** Says what an operator can do about a connection that did not come about. */
export function explainConnectError(error: unknown, url: string): OperatorError {
  if (error instanceof OperatorError) return error;
  const address = describePostgresUrl(url);
  const code = (error as { code?: unknown }).code;
  const explain = (what: string): OperatorError => new OperatorError(what, { cause: error });
  if (code === '28P01' || code === '28000') {
    const user = decodeURIComponent(new URL(postgresUrlsOf(url)?.[0] ?? url).username);
    return explain(`PostgreSQL at ${address} refuses user ${user}: check name and password in VIGIL_DATABASE_URL`);
  }
  if (code === '3D000') return explain(`PostgreSQL at ${address} has no such database; check VIGIL_DATABASE_URL`);
  return explain(`PostgreSQL cannot be reached at ${address}; check VIGIL_DATABASE_URL (${messageOf(error)})`);
}
