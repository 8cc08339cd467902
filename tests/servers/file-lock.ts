import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { OperatorError } from '#libs/domain';

/** Called when another process holds the lock. Returns null when it was free. */
async function firstWord(child: ChildProcess): Promise<string | null> {
  const [word] = (await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), once(child, 'close')])) as [
    unknown,
  ];
  return word instanceof Buffer ? word.toString().trim() : null;
}

/**
 * Runs `work` while no other process works under the same lock file. The lock is the kernel's (`flock` of util-linux,
 * which every Debian has). It ends with its process, even if that is killed. `onWait` is called once when another
 * process holds the lock first.
 * @throws OperatorError when `flock` is missing
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, onWait: () => void): Promise<T> {
  // The shell reports the lock and holds it until our end of the pipe closes.
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
