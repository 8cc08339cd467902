import type { Client } from 'pg';
import { type Logger, OperatorError } from '#libs/domain';
import { connectDirect } from '../connection/direct-client.ts';
import { readShape } from '../connection/schema-losses.ts';
import { type BackupHeader, readBackup } from './backup-format.ts';

/**
 * Loads the rows of a backup into a database that has its schema and no rows, in one transaction. Returns how many.
 * @throws OperatorError when the backup is not complete or does not fit the schema
 */
export async function loadBackup(url: string, file: string, header: BackupHeader, logger: Logger): Promise<number> {
  const client = await connectDirect(url, 'vigil-db', logger);
  try {
    await requireShape(client, file, header);
    await client.query('BEGIN');
    const tables = Object.keys(header.tables);
    // Rows from migrations are also in the backup.
    await client.query(`TRUNCATE ${tables.map((table) => `"${table}"`).join(', ')}`);
    for (const table of tables) await client.query(`ALTER TABLE "${table}" DISABLE TRIGGER USER`);
    const keys = await dropForeignKeys(client);
    const rows = await loadLines(client, file);
    for (const { table, name, definition } of keys)
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT "${name}" ${definition}`);
    for (const table of tables) await client.query(`ALTER TABLE "${table}" ENABLE TRIGGER USER`);
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return rows;
  } finally {
    await client.end();
  }
}

async function requireShape(client: Client, file: string, header: BackupHeader): Promise<void> {
  const shape = await readShape(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows);
  for (const [table, columns] of Object.entries(header.tables)) {
    if ([...(shape.get(table) ?? [])].join() !== columns.join())
      throw new OperatorError(`table ${table} of ${file} does not have the columns of its schema`);
  }
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** Tables have no order, so keys are checked at the end. */
async function dropForeignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS "table", conname AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`);
  return rows;
}

async function loadLines(client: Client, file: string): Promise<number> {
  let loaded = 0;
  for await (const line of readBackup(file)) {
    if ('table' in line) {
      const { rowCount } = await client.query(
        `INSERT INTO "${line.table}" OVERRIDING SYSTEM VALUE
         SELECT (whole.row).* FROM (SELECT text::"${line.table}" AS row FROM unnest($1::text[]) AS text OFFSET 0) AS whole`,
        [line.rows],
      );
      loaded += rowCount ?? 0;
    } else if ('sequences' in line) {
      for (const [name, value] of Object.entries(line.sequences))
        await client.query('SELECT setval($1::regclass, $2::bigint)', [`"${name}"`, value]);
    } else if ('end' in line) {
      if (line.end.rows === loaded) return loaded;
      break;
    }
  }
  throw new OperatorError(`${file} is not complete: it has ${loaded} rows, and a missing or different end`);
}
