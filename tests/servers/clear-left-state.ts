import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unprivilegedAccount } from '#libs/service-kit/embedded';
import { serverUser } from './server-user.ts';

/** Folders of servers and worlds, as `mkdtemp` names them. */
const stateFolder = /^vigil-(test-[a-z0-9]+|chaos)-[A-Za-z0-9]{6}$/;
/** Younger folders may belong to a starting run. In milliseconds. */
const leftAfterMs = 3_600_000;

/**
 * Removes folders that killed test runs left in the temporary directory. Each folder is verified: it has one of our
 * names, belongs to us or to a server user, and is an hour old. No process names it (guards do) or works in it. Does
 * nothing without `/proc`.
 */
export function clearLeftState(): void {
  const base = tmpdir();
  const left = readdirSync(base).filter((name) => stateFolder.test(name) && isOurs(join(base, name)));
  if (left.length === 0) return;
  const used = textOfProcesses();
  if (used === null) return;
  for (const name of left) if (!used.includes(name)) rmSync(join(base, name), { recursive: true, force: true });
}

function isOurs(path: string): boolean {
  try {
    const found = lstatSync(path);
    const isOwn = [process.getuid?.(), serverUser().uid, unprivilegedAccount()?.uid].includes(found.uid);
    return found.isDirectory() && isOwn && Date.now() - found.mtimeMs > leftAfterMs;
  } catch {
    return false;
  }
}

/** Arguments and working folders of the processes of this machine. Null where that cannot be read. */
function textOfProcesses(): string | null {
  try {
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return processes.map(textOf).join('\n');
  } catch {
    return null;
  }
}

function textOf(pid: string): string {
  const read = (look: () => string) => {
    try {
      return look();
    } catch {
      // The process has ended, or another user owns it and has no folders of ours.
      return '';
    }
  };
  const called = read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  return `${called}\n${read(() => readlinkSync(`/proc/${pid}/cwd`))}`;
}
