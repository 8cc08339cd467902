import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lchownSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Logger, messageOf, OperatorError } from '#libs/domain';
import { findOtherWriter, ownFolder } from '../own-folder.ts';
import { type Account, sharedAccount } from './server-account.ts';
import { writeNewFile } from './write-new-file.ts';

/** File in the data folder with the path of the server's home when that is elsewhere. */
export const locationFile = 'location';
/** File in such a home with the path of its data folder. */
export const backReference = 'home-of';
/** Name prefix of such homes. */
export const homePrefix = 'vigil-';
/** Folders of the system that only root can write, that survive a restart, and that every user can traverse. */
const systemFolders = ['/var/lib', '/var/db'];
/** Others can traverse it, but not list it. The server account must reach its cluster. */
const passable = 0o711;

/**
 * Creates or finds the folder for the cluster, the password and the owner note of an embedded server. It belongs to
 * this process's user. Only its cluster belongs to `account`. When `account` cannot reach `dataDir`, because a parent
 * folder is private, a folder with a random name in /var/lib replaces it and `dataDir` stores its path.
 * @throws OperatorError when others can write there, or the stored folder is missing.
 */
export function openServerHome(dataDir: string, account: Account | undefined, logger: Logger): string {
  if (!account) return ownFolder(dataDir);
  const folder = ownFolder(dataDir, { mode: passable, ownerToo: sharedAccount.uid });
  // Earlier versions gave all of it to the server account, which could then create links that root follows.
  if (statSync(folder).uid === sharedAccount.uid) lchownSync(folder, process.getuid!(), process.getgid!());
  chmodSync(folder, passable);
  if (canPass(folder, account)) return folder;
  if (existsSync(join(folder, 'cluster')))
    throw new OperatorError(
      `uid ${account.uid}, which runs the embedded database, can no longer reach ${folder}; allow it to pass the folders above (chmod o+x), or move ${dirname(folder)} and set VIGIL_DATA_DIR`,
    );
  const location = join(folder, locationFile);
  return existsSync(location) ? reopen(folder, location) : makeElsewhere(folder, account, logger);
}

function reopen(folder: string, location: string): string {
  const home = readFileSync(location, 'utf8').trim();
  const reference = join(home, backReference);
  if (!existsSync(reference) || readFileSync(reference, 'utf8') !== folder)
    throw new OperatorError(
      `the database of ${folder} was in ${home}, which no longer exists; restore it, or remove ${location} to start with an empty database`,
    );
  const problem = findOtherWriter(home);
  if (problem !== null) throw new OperatorError(`${problem}; it is not used, because the database was kept there`);
  return home;
}

function makeElsewhere(folder: string, account: Account, logger: Logger): string {
  const base = findSystemFolder(account);
  if (base === null)
    throw new OperatorError(
      `uid ${account.uid}, which runs the embedded database, cannot reach ${folder}; set VIGIL_DATA_DIR to a folder that all users can pass`,
    );
  let home: string | undefined;
  try {
    home = mkdtempSync(join(base, homePrefix));
    chmodSync(home, passable);
    writeNewFile(join(home, backReference), folder);
    writeNewFile(join(folder, locationFile), `${home}\n`);
    logger.info(
      { wanted: folder, instead: home },
      'the server account cannot reach the data folder, using another one',
    );
    return home;
  } catch (error) {
    if (home !== undefined) rmSync(home, { recursive: true, force: true });
    throw new OperatorError(
      `cannot make a folder for the embedded database in ${base}: ${messageOf(error)}; set VIGIL_DATA_DIR to a folder that all users can pass`,
      { cause: error },
    );
  }
}

/**
 * The first folder of the system in which only root can create entries and that `account` can traverse. Null without
 * one.
 */
export function findSystemFolder(account: Account): string | null {
  const isSafe = (path: string) => existsSync(path) && findOtherWriter(path) === null && canPass(path, account);
  return systemFolders.find(isSafe) ?? null;
}

function canPass(path: string, account: Account): boolean {
  const result = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { cwd: '/', timeout: 5000, ...account });
  return result.status === 0;
}
