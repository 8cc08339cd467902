import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Logger, messageOf, OperatorError } from '#libs/domain';
import { connectDirect } from '../connection/direct-client.ts';
import { dumpOfMysql } from './dump-of-mysql.ts';
import { importTables } from './import-tables.ts';
import { readDump, type SourceRow, type SourceTables } from './read-dump.ts';

/** How files of `gzip`, and of `pg_dump` in its own format, start. */
const gzipMark = Buffer.from([0x1f, 0x8b]);
const customFormatMark = Buffer.from('PGDMP');

/**
 * The rows of a Watcher database: of a running PostgreSQL or MySQL by its URL, or of a dump, also a gzipped one, by the
 * path of its file.
 * @throws OperatorError when it cannot be read, ImportError on a broken dump
 */
export async function readWatcher(source: string, options: { logger: Logger }): Promise<SourceTables> {
  // SQLAlchemy names a driver too, as in `postgresql+psycopg2://`.
  const url = source.replace(/^(\w+)\+\w+:\/\//, '$1://');
  if (/^postgres(ql)?:/.test(url)) return readDatabase(url, options.logger);
  if (/^(mysql|mariadb):\/\//.test(url)) return readDump(await dumpOfMysql(url));
  try {
    return readDump(textOfDump(source, await readUnpacked(source)));
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) {
      throw new OperatorError(`${source} cannot be read: ${messageOf(error)}`, { exitCode: 1 });
    }
    throw error;
  }
}

async function readUnpacked(path: string): Promise<Buffer> {
  const content = await readFile(path);
  return startsWith(content, gzipMark) ? promisify(gunzip)(content) : content;
}

function textOfDump(path: string, content: Buffer): string {
  if (!startsWith(content, customFormatMark)) return content.toString('utf8');
  throw new OperatorError(
    `${path} was made by pg_dump in its own format: make one with --format=plain, or turn it into text with pg_restore -f`,
    { exitCode: 1 },
  );
}

function startsWith(content: Buffer, mark: Buffer): boolean {
  return content.subarray(0, mark.length).equals(mark);
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
