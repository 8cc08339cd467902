import { chmodSync, cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { messageOf, OperatorError } from '#libs/domain';
import { findOtherWriter } from '../own-folder.ts';
import type { Account } from './server-account.ts';
import { findSystemFolder } from './server-home.ts';

/**
 * Copies the server's programs to a folder that `account` can read and only root can write, unless a copy exists. Used
 * for an installation in a private home folder.
 * @param name of the folder. Differs by version and platform.
 * @returns the copy.
 * @throws OperatorError without such a place, or when its contents differ from this copy.
 */
export function copyPrograms(native: string, name: string, account: Account): string {
  const base = findSystemFolder(account);
  if (base === null)
    throw new OperatorError(
      `uid ${account.uid}, which runs the embedded database, cannot read ${native}; install Vigil where all users can read it, or set VIGIL_DATABASE_URL`,
    );
  const copy = join(base, name);
  if (!existsSync(copy)) makeCopy(native, base, copy);
  const problem = findDifference(native, copy);
  if (problem !== null)
    throw new OperatorError(`${problem}, so it cannot be trusted as a copy of ${native}; remove ${copy} and try again`);
  return copy;
}

function makeCopy(native: string, base: string, copy: string): void {
  const partial = mkdtempSync(join(base, 'vigil-copy-'));
  try {
    cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
    for (const path of pathsBelow(partial))
      if (!lstatSync(path).isSymbolicLink()) chmodSync(path, lstatSync(path).mode & 0o755);
    chmodSync(partial, 0o755);
    renameSync(partial, copy);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    // Another process may have finished the same copy first. Then that copy is used.
    if (!existsSync(copy))
      throw new OperatorError(`cannot copy the embedded PostgreSQL to ${copy}: ${messageOf(error)}`, { cause: error });
  }
}

/** Why the copy differs from the original. Null when it does not. */
function findDifference(native: string, copy: string): string | null {
  const writer = findOtherWriter(copy);
  if (writer !== null) return writer;
  for (const source of pathsBelow(native)) {
    const path = join(copy, relative(native, source));
    const wanted = lstatSync(source);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) return `${path} is missing`;
    if (found.uid !== process.getuid?.()) return `${path} belongs to uid ${found.uid}`;
    if (!found.isSymbolicLink() && (found.mode & 0o022) !== 0) return `${path} can be written by other users`;
    if (found.isFile() !== wanted.isFile() || (wanted.isFile() && found.size !== wanted.size))
      return `${path} is not the file that was installed`;
  }
  return null;
}

function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
}
