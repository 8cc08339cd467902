import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, OperatorError } from '#libs/domain';
import { signalProcess } from './killable-server.ts';
import { serverUser } from './server-user.ts';

export interface ProcessOptions {
  /** Shown in errors. */
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  /** Working folder with its state. Removed with it. */
  stateDir: string;
  /** Rejects while the server does not respond. Polled every 50 ms. */
  probe(): Promise<void>;
  /** Milliseconds until the start counts as failed. */
  startTimeoutMs: number;
}

/** A server process that can be killed and started again. */
export interface GuardedProcess {
  /** Process id of the last start. */
  pid(): number;
  /** Sends a signal and waits until the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Resolves when it responds. @throws OperatorError when it ends or does not respond in time. */
  start(): Promise<void>;
  /** Ends it and all its children, and removes its state. */
  stop(): Promise<void>;
}

/**
 * The guard starts the command for each line that it reads, and reports its process id and its end. When its standard
 * input closes, also because the test run was killed, it removes the server's state and ends the whole group.
 */
const guardScript = [
  'state=$1; shift',
  'while read -r _; do ( "$@" </dev/null >&2 & pid=$!; echo "started $pid"; wait $pid; echo "ended $pid" ) & done',
  'rm -rf "$state"; kill -KILL 0',
].join('\n');

const logTailChars = 3000;
const probeEveryMs = 50;
const stopLimitMs = 5000;

/**
 * Starts a guard as the server user. The command runs when `start` is called, and must be the server itself or become
 * it by `exec`.
 */
export function createGuardedProcess(options: ProcessOptions): GuardedProcess {
  const guard = spawn('sh', ['-c', guardScript, 'guard', options.stateDir, options.command, ...options.args], {
    cwd: options.stateDir,
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    ...serverUser(),
  });
  let output = '';
  let said = '';
  guard.stdin.on('error', () => undefined);
  guard.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-logTailChars);
  });
  guard.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const closed = new Promise<void>((resolve) => guard.once('close', () => resolve()));

  const lines = () => said.split('\n').slice(0, -1);
  const starts = () => lines().filter((line) => line.startsWith('started '));
  const pid = () => Number(starts().at(-1)?.split(' ')[1]);
  const isRunning = () => starts().length > 0 && !lines().includes(`ended ${pid()}`);

  async function waitUntil(holds: () => boolean, limitMs: number, failure: () => string): Promise<void> {
    const until = performance.now() + limitMs;
    while (!holds()) {
      if (performance.now() > until || guard.exitCode !== null) throw new OperatorError(failure());
      await sleep(probeEveryMs);
    }
  }

  return {
    pid,
    async kill(signal) {
      signalProcess(pid(), signal);
      await waitUntil(
        () => !isRunning(),
        options.startTimeoutMs,
        () => `${options.name} does not end after ${signal}`,
      );
    },
    async start() {
      const count = starts().length;
      guard.stdin.write('\n');
      const failed = (reason: string) =>
        `the test server ${options.name} did not start (${reason}); its last output:\n${output}`;
      await waitUntil(
        () => starts().length > count,
        options.startTimeoutMs,
        () => failed('no process'),
      );
      const until = performance.now() + options.startTimeoutMs;
      for (;;) {
        const failure = await options.probe().then(
          () => null,
          (error) => messageOf(error),
        );
        if (failure === null) break;
        if (!isRunning()) throw new OperatorError(failed('it ended'));
        if (performance.now() > until) throw new OperatorError(failed(`no answer: ${failure}`));
        await sleep(probeEveryMs);
      }
      // The test run must be able to end while the server runs. The guard notices and ends the server.
      for (const handle of [guard, guard.stdin, guard.stdout, guard.stderr]) (handle as { unref?(): void }).unref?.();
    },
    async stop() {
      guard.stdin.end();
      await Promise.race([closed, sleep(stopLimitMs, undefined, { ref: false })]);
    },
  };
}

/**
 * Starts a server and waits until `probe` succeeds.
 * @throws OperatorError with the end of its output when it ends or does not respond in time
 */
export async function startGuardedProcess(options: ProcessOptions): Promise<GuardedProcess> {
  const server = createGuardedProcess(options);
  try {
    await server.start();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}
