import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { messageOf, OperatorError } from '#libs/domain';
import { withoutFormerNames } from '../connection/former-migrations.ts';

/** First word of a backup file. */
export const backupFormat = 'vigil-backup/1';

/** First line of a backup. */
export interface BackupHeader {
  format: typeof backupFormat;
  /** ISO 8601, by the database's clock. */
  madeAt: string;
  /** Applied migrations, oldest first. They define the schema of the rows. */
  migrations: string[];
  /** Columns by table, in the order of the rows. */
  tables: Record<string, string[]>;
}

/** One line of a backup. `end` is the last line of a complete backup. */
export type BackupLine =
  | BackupHeader
  | { table: string; rows: string[] }
  | { sequences: Record<string, string> }
  | { end: { rows: number } };

/**
 * Reads a backup line by line: gzip of one JSON text a line, rows as PostgreSQL writes a whole row as text.
 * @throws OperatorError when the file cannot be read, is not a backup, or is damaged
 */
export async function* readBackup(file: string): AsyncGenerator<BackupLine> {
  const source = createReadStream(file);
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  try {
    for await (const line of createInterface({ input: source.pipe(unpacked), crlfDelay: Number.POSITIVE_INFINITY })) {
      yield JSON.parse(line) as BackupLine;
    }
  } catch (error) {
    throw new OperatorError(`${file} is not a backup of Vigil, or is damaged: ${messageOf(error)}`, { cause: error });
  } finally {
    source.destroy();
  }
}

/** @throws OperatorError as `readBackup` */
export async function readBackupHeader(file: string): Promise<BackupHeader> {
  for await (const line of readBackup(file)) {
    if ('format' in line && line.format === backupFormat)
      return { ...line, migrations: withoutFormerNames(line.migrations) };
    break;
  }
  throw new OperatorError(`${file} is not a backup of Vigil`);
}
