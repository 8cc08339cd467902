import type { Client } from 'pg';
import { type Logger, messageOf, OperatorError } from '#libs/domain';
import { postgresUrlsOf } from '#libs/postgres';
import { migrations } from '#migrations';
import { connectDirect } from '../connection/direct-client.ts';
import { formerOf } from '../connection/former-migrations.ts';
import { refuseLiveProcesses } from '../connection/guards.ts';
import { upgradeSchema } from '../connection/migrate.ts';
import { createStore } from '../create-store.ts';
import type { LineageResult } from '../lineage/lineage.ts';
import { type BackupHeader, readBackupHeader } from './backup-format.ts';
import { loadBackup } from './load-backup.ts';

/** Options of a restore. */
export interface RestoreOptions {
  logger: Logger;
  /** Called before any change. */
  confirm(header: BackupHeader): Promise<boolean>;
  /** Whether the previous database is removed at the end. By default it stays under another name. */
  dropsFormer?: boolean;
}

/** The result of a restore. Null when the operator declined. */
export interface RestoreResult extends Pick<LineageResult, 'heldPlans' | 'heldAudits'> {
  rows: number;
  /** New name of the previous database. Null when it was removed. */
  former: string | null;
}

/**
 * Restores a backup in place of the database at `url`. It loads the backup into a new database with the schema of the
 * backup, and then upgrades that schema. Finally the two databases swap names in one transaction. Work in progress is
 * suspended, as after every restore.
 * @throws OperatorError when the file is not a complete backup of this or an earlier version, processes of Vigil are
 * alive, or the user may not create databases. The database is then unchanged
 */
export async function restoreDatabase(
  url: string,
  file: string,
  options: RestoreOptions,
): Promise<RestoreResult | null> {
  const { logger } = options;
  if ((postgresUrlsOf(url) ?? []).length > 1)
    throw new OperatorError('a backup is restored on one server: give the URL of the primary alone');
  const header = await readBackupHeader(file);
  const unknown = header.migrations.filter((name) => !migrations.some((known) => known.name === name));
  if (formerOf(unknown).length > 0)
    throw new OperatorError(
      `${file} was made by a development version between 0.1.0 and this one; restore and upgrade it with the last such version first`,
    );
  if (unknown.length > 0)
    throw new OperatorError(
      `${file} was created by a newer version of Vigil (${unknown.join(', ')}); run that version`,
    );
  if (!(await options.confirm(header))) return null;

  const names = namesOf(url);
  const admin = await connectDirect(at(url, 'postgres'), 'vigil-db', logger);
  try {
    const before = await connectDirect(url, 'vigil-db', logger);
    await refuseLiveProcesses(async (sql) => (await before.query(sql)).rows).finally(() => before.end());
    await admin.query(`CREATE DATABASE ${quoted(names.fresh)}`);
    try {
      const loaded = await fill(at(url, names.fresh), file, header, logger);
      await swap(admin, names);
      if (options.dropsFormer) await admin.query(`DROP DATABASE ${quoted(names.former)}`);
      return { ...loaded, former: options.dropsFormer ? null : names.former };
    } finally {
      await admin.query(`DROP DATABASE IF EXISTS ${quoted(names.fresh)}`);
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`the backup ${file} cannot be restored: ${messageOf(error)}`, { cause: error });
  } finally {
    await admin.end();
  }
}

interface Names {
  current: string;
  fresh: string;
  former: string;
}

function namesOf(url: string): Names {
  const current = decodeURIComponent(new URL(url).pathname.slice(1));
  const time = new Date()
    .toISOString()
    .replace(/[^0-9]/g, '')
    .slice(0, 17);
  const short = current.slice(0, 63 - '_restoring_'.length - time.length);
  return { current, fresh: `${short}_restoring_${time}`, former: `${short}_before_${time}` };
}

function at(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(database)}`;
  return other.href;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

async function fill(url: string, file: string, header: BackupHeader, logger: Logger) {
  await upgradeSchema(url, { logger, only: header.migrations });
  const rows = await loadBackup(url, file, header, logger);
  await upgradeSchema(url, { logger });
  const store = await createStore({ url, logger, applicationName: 'vigil-db', poolSize: 2 });
  try {
    const { heldPlans, heldAudits } = await store.lineage.declareRestored();
    return { rows, heldPlans, heldAudits };
  } finally {
    await store.close();
  }
}

async function swap(admin: Client, { current, fresh, former }: Names): Promise<void> {
  await admin.query('BEGIN');
  try {
    await admin.query(`ALTER DATABASE ${quoted(current)} RENAME TO ${quoted(former)}`);
    await admin.query(`ALTER DATABASE ${quoted(fresh)} RENAME TO ${quoted(current)}`);
    await admin.query('COMMIT');
  } catch (error) {
    await admin.query('ROLLBACK');
    throw error;
  }
}
