import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, OperatorError } from '#libs/domain';
import { serverUser } from './server-user.ts';

export interface ProcessOptions {
  /** Shown in errors. */
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  /** Where it works and keeps its state; removed with it. */
  stateDir: string;
  /** Rejects while the server does not answer yet; polled every 50 ms. */
  probe(): Promise<void>;
  /** Milliseconds until the start counts as failed. */
  startTimeoutMs: number;
}

export interface GuardedProcess {
  /** Ends the process and all its children at once, without letting them say good-bye: their state is thrown away. */
  kill(): Promise<void>;
}

/**
 * The guard runs the server in its own process group. When its standard input closes, which happens also when the test
 * run is killed, it removes the server's state and ends the whole group: nothing is left behind.
 */
const guardScript =
  'state=$1; shift; ( "$@" </dev/null; echo "exited with status $?"; kill -KILL 0 ) & read -r _; rm -rf "$state"; kill -KILL 0';

const logTailChars = 3000;

/**
 * Starts a server as the server user and waits until `probe` succeeds.
 * @throws OperatorError with the end of its output when it exits or does not answer in time.
 */
export async function startGuardedProcess(options: ProcessOptions): Promise<GuardedProcess> {
  const child = spawn('sh', ['-c', guardScript, 'guard', options.stateDir, options.command, ...options.args], {
    cwd: options.stateDir,
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    ...serverUser(),
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-logTailChars);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.stdin.on('error', () => undefined);
  const closed = once(child, 'close').catch((error) => collect(Buffer.from(messageOf(error))));
  let running = true;
  const ended = closed.then(() => {
    running = false;
  });

  async function kill(): Promise<void> {
    child.stdin.end();
    await Promise.race([ended, sleep(5000, undefined, { ref: false })]);
  }

  const deadline = Date.now() + options.startTimeoutMs;
  for (;;) {
    const failure = await options.probe().then(
      () => null,
      (error) => messageOf(error),
    );
    if (failure === null && running) {
      // The test run must be able to end while servers are up: the guard notices and ends them.
      for (const handle of [child, child.stdin, child.stdout, child.stderr]) (handle as { unref?(): void }).unref?.();
      return { kill };
    }
    if (!running || Date.now() > deadline) {
      await kill();
      throw new OperatorError(
        `the test server ${options.name} did not start (${running ? `no answer: ${failure}` : 'it exited'}); its last output:\n${output}`,
      );
    }
    await sleep(50);
  }
}
