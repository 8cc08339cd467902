import { OperatorError } from '#libs/domain';
import { describePostgresUrl } from '#libs/postgres';
import { newerSchema } from './migrate.ts';
import type { SchemaStatus } from './schema-status.ts';

type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/**
 * Refuses operations that require stopped processes. Columns that an old schema lacks count as empty.
 * @throws OperatorError with the names of the processes that are registered and alive
 */
export async function refuseLiveProcesses(query: Query): Promise<void> {
  const [table] = await query(`SELECT to_regclass('service_instances') IS NOT NULL AS present`);
  if (table?.present !== true) return;
  const live = await query(
    `SELECT service_name AS name, host, pid, ceil(extract(epoch FROM lease_expires_at - now()))::integer AS seconds
     FROM service_instances AS instance
     WHERE lease_expires_at > now() AND to_jsonb(instance) ->> 'ended_at' IS NULL ORDER BY 1, 2`,
  );
  if (live.length === 0) return;
  const names = live.map(({ name, host, pid }) => `${name}@${host} (pid ${pid})`).join(', ');
  const seconds = Math.max(...live.map((process) => Number(process.seconds)));
  throw new OperatorError(
    `processes of Vigil use this database: ${names}. Stop them first; one that was killed counts as alive for ${seconds} s more`,
  );
}

/** @throws OperatorError, with the remedy, when this version cannot work with the schema */
export function requireUsableSchema(url: string, status: SchemaStatus): void {
  if (status.state === 'current' || status.state === 'ahead') return;
  if (status.state === 'newer') throw newerSchema(url, status);
  const lack = status.state === 'empty' ? 'has no schema yet' : `lacks migrations (${status.pending.join(', ')})`;
  throw new OperatorError(`the database ${describePostgresUrl(url)} ${lack}: run \`vigil db upgrade\``);
}
