import { spawn } from 'node:child_process';
import { signalProcess } from './killable-server.ts';

/** Lets the process continue when its standard input closes, also because the freezing process was killed. */
const thawScript = 'read -r _; kill -CONT "$1"';

/**
 * Stops a process (SIGSTOP).
 * @returns function that lets it continue
 */
export function freezeProcess(pid: number): () => void {
  const thawing = spawn('sh', ['-c', thawScript, 'thaw', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  thawing.stdin.on('error', () => undefined);
  for (const handle of [thawing, thawing.stdin]) (handle as { unref?(): void }).unref?.();
  signalProcess(pid, 'SIGSTOP');
  return () => void thawing.stdin.end();
}
