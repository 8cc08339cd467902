import type { Logger } from '#libs/domain';
import { migrations } from '#migrations';
import { additiveTable, migrationsTable } from './data-source.ts';
import { connectDirect } from './direct-client.ts';
import { withoutFormerNames } from './former-migrations.ts';

/**
 * State of a database relative to this version of the code. `empty`: no migration was applied. `pending`: some
 * migrations are missing. `ahead`: it has unknown migrations that this version supports. `newer`: it has unknown
 * migrations that this version does not support.
 */
export interface SchemaStatus {
  state: 'current' | 'empty' | 'pending' | 'ahead' | 'newer';
  /** Names of applied migrations, oldest first. */
  applied: string[];
  pending: string[];
  unknown: string[];
  /** Unknown migrations that this version does not support. */
  breaking: string[];
}

type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** Compares the database of `query` with the migrations of this version. */
export async function readSchemaStatus(query: Query): Promise<SchemaStatus> {
  const [table] = await query(
    `SELECT to_regclass('${migrationsTable}') IS NOT NULL AS present, to_regclass('${additiveTable}') IS NOT NULL AS marked`,
  );
  const rows = table?.present === true ? await query(`SELECT name FROM ${migrationsTable} ORDER BY id`) : [];
  const applied = withoutFormerNames(rows.map((row) => String(row.name)));
  const known = migrations.map((migration) => migration.name);
  const pending = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name));
  const readsMarks = unknown.length > 0 && table?.marked === true;
  const marks = readsMarks ? (await query(`SELECT name FROM ${additiveTable}`)).map(({ name }) => name) : [];
  const breaking = unknown.filter((name) => !marks.includes(name));
  const found = { applied, pending, unknown, breaking };
  return { state: judge(found), ...found };
}

function judge({ applied, pending, unknown, breaking }: Omit<SchemaStatus, 'state'>): SchemaStatus['state'] {
  // A schema with migrations of a newer version that lacks some of this version belongs to neither.
  if (breaking.length > 0 || (unknown.length > 0 && pending.length > 0)) return 'newer';
  if (unknown.length > 0) return 'ahead';
  if (applied.length === 0) return 'empty';
  return pending.length > 0 ? 'pending' : 'current';
}

/**
 * State of the database at `url` relative to this version.
 * @throws OperatorError when it cannot be reached
 */
export async function schemaStatus(url: string, options: { logger: Logger }): Promise<SchemaStatus> {
  const client = await connectDirect(url, 'vigil-db', options.logger);
  try {
    return await readSchemaStatus(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows);
  } finally {
    await client.end();
  }
}
