import { type ChildProcess, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Whether a process with this id exists (zombies count until they are reaped). */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Text that identifies the start of a process, so that a reused pid is detected. Null without such a process. */
export function startOfProcess(pid: number): string | null {
  if (!existsSync('/proc/self/stat')) {
    const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5000 });
    return stdout?.trim() || null;
  }
  try {
    // The name in parentheses may contain spaces. The start, in ticks since the boot, is the 20th field after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return null;
  }
}

/** Resolves when the child has ended, or could not be started. */
export function waitForExit(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}
