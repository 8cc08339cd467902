import { chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const nobody = 65534;

/** The user that servers run as: `nobody` for root (no server may run as root), otherwise the current user. */
export function serverUser(): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
}

/** A fresh folder in the temporary directory that the server user may write to. */
export async function createStateDir(name: string): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), `vigil-test-${name}-`));
  const { uid, gid } = serverUser();
  if (uid !== undefined && gid !== undefined) await chown(dir, uid, gid);
  return { dir, remove: () => rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
}

/** Whether the server user can reach files below `path`: every folder up to the root lets others pass. */
export async function serverUserCanReach(path: string): Promise<boolean> {
  if (serverUser().uid === undefined) return true;
  const found = await stat(path).catch(() => null);
  if (found !== null && (found.mode & 0o001) === 0) return false;
  return path === dirname(path) ? true : serverUserCanReach(dirname(path));
}
