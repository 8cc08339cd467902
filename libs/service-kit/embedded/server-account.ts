import { lchownSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The account of server programs. */
export interface Account {
  uid: number;
  gid: number;
}

/** Ids that neither distributions nor systemd assign. The first one without a name is used. */
const ids = Array.from({ length: 100 }, (_, index) => 60_900 + index);

/**
 * The system account for unprivileged programs, shared with other services. `initdb` needs an account with a name.
 * Earlier versions ran the server under it.
 */
export const sharedAccount: Account = { uid: 65_534, gid: 65_534 };

/**
 * The account for server programs when the current user is root, because PostgreSQL refuses to run as root. It is a
 * separate id without a name, so no other program can read the server's files and memory. Otherwise undefined.
 */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const named = new Set([...idsIn('/etc/passwd'), ...idsIn('/etc/group')]);
  const free = ids.find((id) => !named.has(id));
  return free === undefined ? sharedAccount : { uid: free, gid: free };
}

function idsIn(file: string): number[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => Number(line.split(':')[2] || Number.NaN));
  } catch {
    // A minimal image has no such file, and no names.
    return [];
  }
}

/** Changes the owner of a folder and its contents. Links are changed, not followed. The folder itself is first. */
export function giveAll(path: string, account: Account): void {
  lchownSync(path, account.uid, account.gid);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) giveAll(join(path, name), account);
}
