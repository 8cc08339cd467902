import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { OperatorError } from '#libs/domain';

/** Returns once `waiting` has been told that somebody else has the lock, or null when it was free. */
async function firstWord(child: ChildProcess): Promise<string | null> {
  const [word] = (await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), once(child, 'close')])) as [
    unknown,
  ];
  return word instanceof Buffer ? word.toString().trim() : null;
}

/**
 * Does `work` while no other process does work under the same lock file. The lock is the kernel's (`flock` of
 * util-linux, which every Debian has): it ends with its process, also when that is killed, so that no lock is ever left
 * behind. `onWait` is called once when the lock is another's at first.
 * @throws OperatorError when there is no `flock`.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, onWait: () => void): Promise<T> {
  // The shell says that it has the lock and keeps it until our end of the pipe closes.
  const script = 'flock -n 9 || { echo waiting; flock 9; }; echo locked; read -r _';
  const child = spawn('sh', ['-c', `exec 9>"$1"; ${script}`, 'lock', path], { stdio: ['pipe', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  child.stdin.on('error', () => undefined);
  try {
    let word = await firstWord(child);
    if (word === 'waiting') {
      onWait();
      word = await firstWord(child);
    }
    if (!word?.endsWith('locked')) throw new OperatorError('the lock of the test servers needs `flock` of util-linux');
    return await work();
  } finally {
    child.stdin.end();
    await closed;
  }
}
