import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, lchownSync, lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, OperatorError } from '#libs/domain';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { Account } from './server-home.ts';
import { writeNewFile } from './write-new-file.ts';

const initdbTimeoutMs = 120_000;
/** Start of the name of a cluster that is not complete yet. */
const partialPrefix = 'cluster.new-';

/**
 * Makes the cluster in a server's home when it is missing, and returns the superuser's password. Existing data is never
 * deleted or replaced.
 * @throws OperatorError with the remedy when something is missing or belongs to another user.
 */
export function prepareCluster(home: string, binaries: PostgresBinaries): string {
  const cluster = join(home, 'cluster');
  const passwordFile = join(home, 'password');
  const hasCluster = existsSync(cluster);
  if (hasCluster && !existsSync(passwordFile))
    throw new OperatorError(
      `${cluster} holds a database, but its password file ${passwordFile} is missing; restore the file, or move ${cluster} elsewhere to start with an empty database`,
    );
  if (hasCluster) requireCluster(cluster, binaries.account);
  if (!existsSync(passwordFile)) writePassword(passwordFile, binaries.account);
  const password = readPassword(passwordFile, binaries.account);
  if (!hasCluster) makeCluster(home, cluster, passwordFile, binaries);
  return password;
}

function requireCluster(cluster: string, account: Account | undefined): void {
  requireOurs(cluster, account, 'a folder');
  if (!existsSync(join(cluster, 'PG_VERSION')))
    throw new OperatorError(
      `${cluster} is not a PostgreSQL database; move it elsewhere to start with an empty database`,
    );
}

/** No link, no other owner: such a creator could provide a foreign database or password. */
function requireOurs(path: string, account: Account | undefined, kind: 'a folder' | 'a file'): void {
  const found = lstatSync(path);
  const owner = account?.uid ?? process.getuid?.();
  const isKind = kind === 'a folder' ? found.isDirectory() : found.isFile();
  if (!isKind || (owner !== undefined && found.uid !== owner && found.uid !== process.getuid?.()))
    throw new OperatorError(`${path} is not ${kind} of uid ${owner} and is not used; move it elsewhere`);
}

/** `initdb` reads it, as the account. */
function writePassword(file: string, account: Account | undefined): void {
  try {
    writeNewFile(file, randomBytes(18).toString('base64url'), account);
  } catch (error) {
    throw new OperatorError(`cannot write the password file ${file}: ${messageOf(error)}`, { cause: error });
  }
}

function readPassword(file: string, account: Account | undefined): string {
  requireOurs(file, account, 'a file');
  const password = readFileSync(file, 'utf8').trim();
  if (password === '') throw new OperatorError(`the password file ${file} is empty; put its content back`);
  return password;
}

/** In a new folder, which gets its name when it is complete. */
function makeCluster(home: string, cluster: string, passwordFile: string, { initdb, account }: PostgresBinaries): void {
  removeLeftPartials(home);
  const partial = mkdtempSync(join(home, partialPrefix));
  if (account) lchownSync(partial, account.uid, account.gid);
  const parameters = [
    ...['-D', partial, '-U', 'vigil', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
    ...['-E', 'UTF8', '--no-locale', '--no-sync'],
  ];
  try {
    const result = spawnSync(initdb, parameters, { encoding: 'utf8', timeout: initdbTimeoutMs, cwd: '/', ...account });
    if (result.status !== 0) throw new Error((result.stderr || messageOf(result.error)).trim());
    renameSync(partial, cluster);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw new OperatorError(`cannot make the database cluster in ${cluster}: ${messageOf(error)}`, { cause: error });
  }
}

/** Of starts that were killed while they made the cluster. */
function removeLeftPartials(home: string): void {
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    const isLeft = name.startsWith(partialPrefix) && Date.now() - lstatSync(path).mtimeMs > 2 * initdbTimeoutMs;
    if (isLeft) rmSync(path, { recursive: true, force: true });
  }
}
