import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Logger, messageOf, OperatorError } from '#libs/domain';
import { makeFolder } from '../make-folder.ts';

/**
 * Makes the folder in which an embedded server keeps its data, owned by `account` with mode 0700. When `account` can not
 * get there (a parent folder is private), a folder below /var/tmp with a name derived from the path takes its place.
 * @returns the folder to use.
 * @throws OperatorError when neither can be made.
 */
export function prepareDataDirectory(
  path: string,
  account: { uid: number; gid: number } | undefined,
  logger: Logger,
): string {
  const wanted = resolve(path);
  make(wanted, account);
  if (!account || isUsable(wanted, account)) return wanted;
  const name = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const instead = join('/var/tmp', `vigil-${name}`);
  make(instead, account);
  if (!isUsable(instead, account))
    throw new OperatorError(
      `uid ${account.uid}, which runs the embedded servers, can use neither ${wanted} nor ${instead}; set VIGIL_DATA_DIR`,
    );
  logger.info({ wanted, instead }, 'data directory is not reachable for the server account, using another one');
  return instead;
}

function make(path: string, account: { uid: number; gid: number } | undefined): void {
  makeFolder(path);
  try {
    chmodSync(path, 0o700);
    if (account) chownSync(path, account.uid, account.gid);
  } catch (error) {
    throw new OperatorError(
      `can not write to the data directory ${path}: ${messageOf(error)}; set VIGIL_DATA_DIR to a writable folder`,
      {
        cause: error,
      },
    );
  }
}

function isUsable(path: string, account: { uid: number; gid: number }): boolean {
  const result = spawnSync('/bin/sh', ['-c', 'test -w "$1"', 'sh', path], { cwd: '/', timeout: 5000, ...account });
  return result.status === 0;
}
