import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, OperatorError } from '#libs/domain';

/**
 * Makes a folder and those above it. Step by step, because Node's own recursion does not end on file systems that refuse
 * folders with ENOENT (/proc).
 * @throws OperatorError when it can not be made.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new OperatorError(
      `can not make the folder ${path}: ${messageOf(error)}; set VIGIL_DATA_DIR to a writable folder`,
      { cause: error },
    );
  }
}
