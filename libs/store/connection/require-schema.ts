import { OperatorError } from '#libs/domain';
import { describePostgresUrl } from '#libs/postgres';
import { newerSchema } from './migrate.ts';
import type { SchemaStatus } from './schema-status.ts';

/** @throws OperatorError, with what to do, when the schema is not this version's */
export function requireCurrentSchema(url: string, status: SchemaStatus): void {
  if (status.state === 'current') return;
  if (status.state === 'newer') throw newerSchema(url, status);
  const lack = status.state === 'empty' ? 'has no schema yet' : `lacks migrations (${status.pending.join(', ')})`;
  throw new OperatorError(`the database ${describePostgresUrl(url)} ${lack}: run \`vigil db upgrade\``);
}
