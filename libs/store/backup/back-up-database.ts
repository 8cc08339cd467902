import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { type Logger, messageOf, OperatorError } from '#libs/domain';
import { describePostgresUrl } from '#libs/postgres';
import { additiveTable, migrationsTable } from '../connection/data-source.ts';
import { connectDirect } from '../connection/direct-client.ts';
import { newerSchema } from '../connection/migrate.ts';
import { readShape } from '../connection/schema-losses.ts';
import { readSchemaStatus } from '../connection/schema-status.ts';
import { type BackupLine, backupFormat } from './backup-format.ts';

/** The contents of a backup. */
export interface BackupSummary {
  file: string;
  tables: number;
  rows: number;
  /** Size of the file in bytes. */
  bytes: number;
}

const rowsPerLine = 200;
/** Tables about the database itself, which are not part of its contents. */
const leftOut = [migrationsTable, additiveTable, 'store_lineage'];

/**
 * Writes a consistent snapshot of the database to a new file that only its owner can read. Processes may run. The file
 * gets its name when it is complete. @throws OperatorError when the file exists or cannot be written, or the database
 * has no schema of this version
 */
export async function backUpDatabase(
  url: string,
  file: string,
  { logger }: { logger: Logger },
): Promise<BackupSummary> {
  if (existsSync(file)) throw new OperatorError(`${file} exists already; give another name`);
  const partial = `${file}.partial-${process.pid}`;
  const client = await connectDirect(url, 'vigil-db', logger);
  const summary: BackupSummary = { file, tables: 0, rows: 0, bytes: 0 };
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const target = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(Readable.from(linesOf(client, url, summary)), createGzip(), target);
    summary.bytes = (await stat(partial)).size;
    await rename(partial, file);
    return summary;
  } catch (error) {
    await rm(partial, { force: true });
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`cannot create the backup ${file}: ${messageOf(error)}`, { cause: error });
  } finally {
    await client.end();
  }
}

async function* linesOf(client: Client, url: string, summary: BackupSummary): AsyncGenerator<string> {
  const text = (line: BackupLine) => `${JSON.stringify(line)}\n`;
  const query = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;
  const status = await readSchemaStatus(query);
  if (status.state === 'newer') throw newerSchema(url, status);
  if (status.state === 'empty')
    throw new OperatorError(`the database ${describePostgresUrl(url)} is empty: there is nothing to back up`);
  const shape = [...(await readShape(query))].filter(([table]) => !leftOut.includes(table));
  summary.tables = shape.length;
  const [moment] = (await client.query<{ now: Date }>('SELECT now() AS now')).rows;
  if (!moment) throw new Error('the database returned no time');
  yield text({
    format: backupFormat,
    madeAt: moment.now.toISOString(),
    migrations: status.applied,
    tables: Object.fromEntries(shape.map(([table, columns]) => [table, [...columns]])),
  });
  for (const [table] of shape) {
    await client.query(`DECLARE taken NO SCROLL CURSOR FOR SELECT "${table}"::text AS row FROM "${table}"`);
    for (;;) {
      const { rows } = await client.query<{ row: string }>(`FETCH ${rowsPerLine} FROM taken`);
      if (rows.length === 0) break;
      summary.rows += rows.length;
      yield text({ table, rows: rows.map(({ row }) => row) });
    }
    await client.query('CLOSE taken');
  }
  const sequences = await query(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL AND sequencename NOT LIKE '${migrationsTable}%'`,
  );
  yield text({ sequences: Object.fromEntries(sequences.map(({ name, value }) => [String(name), String(value)])) });
  yield text({ end: { rows: summary.rows } });
}
