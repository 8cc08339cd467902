import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf, OperatorError } from '#libs/domain';

/** Allowed properties of a folder of Vigil. */
export interface OwnFolderOptions {
  /** Maximum mode bits of the folder. Default 0700. A folder of this user with more bits loses them. */
  mode?: number;
  /** A further account that may own the folder itself, but not its parents. */
  ownerToo?: number;
}

const sticky = 0o1000;
const writableByGroup = 0o020;
const writableByOthers = 0o002;

/**
 * Creates a missing folder. Ensures that no other local user can replace or read its contents: it and all parents
 * belong to this user or to root, and others cannot write there.
 * @returns its real path, without symbolic links.
 * @throws OperatorError naming the folder that others can write, and the remedy.
 */
export function ownFolder(path: string, { mode = 0o700, ownerToo }: OwnFolderOptions = {}): string {
  makeFolder(resolve(path));
  const folder = realpathSync(path);
  const problem = findOtherWriter(folder, ownerToo);
  if (problem !== null) throw new OperatorError(`${problem}; set VIGIL_DATA_DIR to a folder that only you can write`);
  const found = statSync(folder);
  if (found.uid === process.getuid?.() && (found.mode & 0o777 & ~mode) !== 0) tighten(folder, found.mode & mode);
  return folder;
}

/**
 * Why a user other than root and this process's user could replace or add files in an existing folder. Null when none
 * can. Parents with the sticky bit are safe, because users cannot replace files of others there.
 * @param folder without symbolic links.
 */
export function findOtherWriter(folder: string, ownerToo?: number): string | null {
  const user = process.getuid?.();
  if (user === undefined) return null;
  const trusted = trustedOwners(user);
  return (
    judge(folder, ownerToo === undefined ? trusted : new Set([...trusted, ownerToo])) ?? judgeAbove(folder, trusted)
  );
}

/**
 * Like `findOtherWriter`, for a folder with programs: checks every file, and the targets of its symbolic links. The
 * owner of Vigil's files is also trusted, because that account could change Vigil itself.
 */
export function findOtherWriterWithin(folder: string): string | null {
  const user = process.getuid?.();
  if (user === undefined) return null;
  const trusted = new Set([...trustedOwners(user), statSync(fileURLToPath(import.meta.url)).uid]);
  const seen = new Set<string>();
  const waiting = [folder];
  for (let named = waiting.pop(); named !== undefined; named = waiting.pop()) {
    const path = realpathSync(named);
    if (seen.has(path)) continue;
    seen.add(path);
    const isElsewhere = path !== named || named === folder;
    const problem = judge(path, trusted) ?? (isElsewhere ? judgeAbove(path, trusted) : null);
    if (problem !== null) return problem;
    waiting.push(...entriesOf(path));
  }
  return null;
}

/** The entries of a folder, without broken links. Empty for a file. */
function entriesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [];
  return readdirSync(path)
    .map((name) => join(path, name))
    .filter((entry) => existsSync(entry));
}

/** The owner of the root folder owns the machine (in a user namespace that is not uid 0). */
function trustedOwners(user: number): Set<number> {
  return new Set([0, user, statSync('/').uid]);
}

/** @param mayBeSticky whether the sticky bit makes it safe, as for the parent of a folder with a trusted owner. */
function judge(path: string, trusted: ReadonlySet<number>, mayBeSticky = false): string | null {
  const { uid, gid, mode } = statSync(path);
  if (!trusted.has(uid)) return `${path} belongs to uid ${uid}, which can change its content`;
  // Groups may write to the checkout of a user. For root, only group 0 is safe.
  const byGroup = process.getuid?.() === 0 && gid !== 0 && (mode & writableByGroup) !== 0;
  const isWritable = byGroup || (mode & writableByOthers) !== 0;
  return isWritable && !(mayBeSticky && (mode & sticky) !== 0) ? `${path} can be written by other users` : null;
}

function judgeAbove(path: string, trusted: ReadonlySet<number>): string | null {
  for (let below = path; dirname(below) !== below; below = dirname(below)) {
    const problem = judge(dirname(below), trusted, true);
    if (problem !== null) return problem;
  }
  return null;
}

function tighten(folder: string, mode: number): void {
  try {
    chmodSync(folder, mode);
  } catch (error) {
    throw new OperatorError(`cannot close ${folder} to other users: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Creates a folder with mode 0700 and its parents with 0755, regardless of a wider umask. Creates them one by one,
 * because Node's recursion does not end on file systems that refuse folders with ENOENT (/proc).
 * @throws OperatorError when it cannot be created.
 */
function makeFolder(path: string, mode = 0o700): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), 0o755);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new OperatorError(
      `cannot make the folder ${path}: ${messageOf(error)}; set VIGIL_DATA_DIR to a writable folder`,
      { cause: error },
    );
  }
}
