import { closeSync, fchownSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Creates a file that only its owner can read, completely or not at all: a full disk leaves no partial file. Never
 * replaces an existing file.
 * @param account its owner. Default this process's user.
 * @throws the error of the file system.
 */
export function writeNewFile(file: string, text: string, account?: { uid: number; gid: number }): void {
  const partial = `${file}.${process.pid}`;
  rmSync(partial, { force: true });
  try {
    const handle = openSync(partial, 'wx', 0o600);
    try {
      if (account) fchownSync(handle, account.uid, account.gid);
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    linkSync(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
}
