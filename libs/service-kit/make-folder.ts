import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, OperatorError } from '#libs/domain';

/**
 * Makes a folder with mode 0700 and those above it with 0755, whatever the umask allows more. Step by step, because Node's own
 * recursion does not end on file systems that refuse folders with ENOENT (/proc).
 * @throws OperatorError when it cannot be made.
 */
export function makeFolder(path: string, mode = 0o700): void {
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
