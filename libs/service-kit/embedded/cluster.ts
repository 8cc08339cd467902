import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, lchownSync, lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, messageOf, OperatorError } from '#libs/domain';
import { changePassword } from './change-password.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { type Account, giveAll, sharedAccount } from './server-account.ts';
import { writeNewFile } from './write-new-file.ts';

const initdbTimeoutMs = 120_000;
/** Name prefix of an incomplete cluster. */
const partialPrefix = 'cluster.new-';

/** Programs of the server, and a logger. */
interface Server {
  binaries: PostgresBinaries;
  logger: Logger;
}

/**
 * Creates the missing cluster in a server's home, and returns the superuser's password, which the server's account
 * cannot read. A cluster of an earlier version gets that account and a new password. Never deletes or replaces
 * existing data. The server must not run.
 * @throws OperatorError with the remedy when something is missing or belongs to another user.
 */
export async function prepareCluster(home: string, binaries: PostgresBinaries, logger: Logger): Promise<string> {
  const cluster = join(home, 'cluster');
  if (!existsSync(cluster)) {
    if (!existsSync(join(home, 'password'))) writePassword(join(home, 'password'), newPassword());
    const password = readSuperPassword(home);
    await makeCluster(home, cluster, password, { binaries, logger });
    return password;
  }
  readSuperPassword(home);
  requireCluster(cluster, binaries.account);
  if (binaries.account) await takeFromShared(home, cluster, { binaries, logger });
  return readSuperPassword(home);
}

/**
 * The superuser's password of the cluster in a server's home.
 * @throws OperatorError when its file is missing, empty or belongs to another user
 */
export function readSuperPassword(home: string): string {
  const file = join(home, 'password');
  const cluster = join(home, 'cluster');
  if (!existsSync(file))
    throw new OperatorError(
      `${cluster} holds a database, but its password file ${file} is missing; restore the file, or move ${cluster} elsewhere to start with an empty database`,
    );
  requireOurs(file, undefined, 'a file');
  const password = readFileSync(file, 'utf8').trim();
  if (password === '') throw new OperatorError(`the password file ${file} is empty; put its content back`);
  return password;
}

function requireCluster(cluster: string, account: Account | undefined): void {
  requireOurs(cluster, account, 'a folder');
  if (!existsSync(join(cluster, 'PG_VERSION')))
    throw new OperatorError(
      `${cluster} is not a PostgreSQL database; move it elsewhere to start with an empty database`,
    );
}

/** Must be no link and have no other owner: that owner could provide a foreign database or password. */
function requireOurs(path: string, account: Account | undefined, kind: 'a folder' | 'a file'): void {
  const found = lstatSync(path);
  const user = process.getuid?.();
  const owners = [user, account?.uid, ...(user === 0 ? [sharedAccount.uid] : [])];
  const isKind = kind === 'a folder' ? found.isDirectory() : found.isFile();
  if (!isKind || (user !== undefined && !owners.includes(found.uid)))
    throw new OperatorError(`${path} is not ${kind} of uid ${account?.uid ?? user} and is not used; move it elsewhere`);
}

function newPassword(): string {
  return randomBytes(18).toString('base64url');
}

function writePassword(file: string, password: string, account?: Account): void {
  try {
    writeNewFile(file, password, account);
  } catch (error) {
    throw new OperatorError(`cannot write the password file ${file}: ${messageOf(error)}`, { cause: error });
  }
}

/** Created in a new folder, which is renamed when it is complete. */
async function makeCluster(home: string, cluster: string, password: string, server: Server): Promise<void> {
  const { initdb, account } = server.binaries;
  removeLeftPartials(home);
  const partial = mkdtempSync(join(home, partialPrefix));
  const passwordFile = `${partial}.password`;
  // `initdb` needs an account with a name. That account never has the final password.
  const named = account && sharedAccount;
  const first = account ? newPassword() : password;
  if (named) lchownSync(partial, named.uid, named.gid);
  const parameters = [
    ...['-D', partial, '-U', 'vigil', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
    ...['-E', 'UTF8', '--no-locale', '--no-sync'],
  ];
  try {
    writePassword(passwordFile, first, named);
    const result = spawnSync(initdb, parameters, { encoding: 'utf8', timeout: initdbTimeoutMs, cwd: '/', ...named });
    if (result.status !== 0) throw new Error((result.stderr || messageOf(result.error)).trim());
    if (account) {
      giveAll(partial, account);
      await changePassword(partial, { former: [first], to: password }, server);
    }
    renameSync(partial, cluster);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw new OperatorError(`cannot create the database cluster in ${cluster}: ${messageOf(error)}`, { cause: error });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/**
 * Assigns a cluster of an earlier version to the server's account and replaces its password, which processes of the
 * shared account could read. Repeats the remaining steps of an interrupted attempt.
 */
async function takeFromShared(home: string, cluster: string, server: Server): Promise<void> {
  const { account } = server.binaries;
  const next = join(home, 'password.new');
  if (!account || (lstatSync(cluster).uid === account.uid && !existsSync(next))) return;
  try {
    if (!existsSync(next)) writePassword(next, newPassword());
    giveAll(cluster, account);
    // A standby has the password of its primary.
    if (existsSync(join(cluster, 'standby.signal'))) return rmSync(next);
    const to = readFileSync(next, 'utf8').trim();
    await changePassword(cluster, { former: [readSuperPassword(home)], to }, server);
    renameSync(next, join(home, 'password'));
  } catch (error) {
    throw new OperatorError(`cannot give ${cluster} to uid ${account.uid}: ${messageOf(error)}`, { cause: error });
  }
}

/** Folders of starts that were killed while they created the cluster. */
function removeLeftPartials(home: string): void {
  for (const name of readdirSync(home)) {
    const path = join(home, name);
    const isLeft = name.startsWith(partialPrefix) && Date.now() - lstatSync(path).mtimeMs > 2 * initdbTimeoutMs;
    if (isLeft) rmSync(path, { recursive: true, force: true });
  }
}
