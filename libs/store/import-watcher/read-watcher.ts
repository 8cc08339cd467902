import { readFile } from 'node:fs/promises';
import { type Logger, messageOf, OperatorError } from '#libs/domain';
import { connectDirect } from '../connection/direct-client.ts';
import { importTables } from './import-tables.ts';
import { readDump, type SourceRow, type SourceTables } from './read-dump.ts';

/**
 * The rows of a Watcher database: of a running PostgreSQL by its URL, or of a dump by the path of its file.
 * @throws OperatorError when it can not be read, ImportError on a broken dump
 */
export async function readWatcher(source: string, options: { logger: Logger }): Promise<SourceTables> {
  if (/^postgres(ql)?:/.test(source)) return readDatabase(source, options.logger);
  if (/^mysql|^mariadb/.test(source) && source.includes('://'))
    throw new OperatorError('A MySQL server can not be read directly: make a dump with mysqldump and name its file', {
      exitCode: 2,
    });
  try {
    return readDump(await readFile(source, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) {
      throw new OperatorError(`${source} can not be read: ${messageOf(error)}`, { exitCode: 1 });
    }
    throw error;
  }
}

async function readDatabase(url: string, logger: Logger): Promise<SourceTables> {
  const client = await connectDirect(url, 'vigil-import', logger);
  try {
    await client.query("SET TIME ZONE 'UTC'");
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const tables: SourceTables = new Map();
    for (const { name } of importTables) {
      const { rows: found } = await client.query<{ present: boolean }>(
        `SELECT to_regclass('public.${name}') IS NOT NULL AS present`,
      );
      if (!found[0]?.present) continue;
      const { rows } = await client.query<SourceRow>({
        text: `SELECT * FROM public.${name}`,
        types: { getTypeParser: () => (value: string) => value },
      });
      tables.set(name, rows);
    }
    return tables;
  } finally {
    await client.end();
  }
}
