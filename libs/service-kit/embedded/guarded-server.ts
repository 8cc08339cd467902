import { type ChildProcess, spawn } from 'node:child_process';
import { OperatorError } from '#libs/domain';
import { withTimeLimit } from '../limits.ts';
import { waitForExit } from '../processes.ts';
import type { Account } from './server-account.ts';

/**
 * Runs the server, prints its pid and ends with its status. Shuts the server down when the other end of its standard
 * input closes, also after a kill of its parent. The shutdown is fast, and after ten seconds immediate. Both are safe
 * for the data. The server is a child of the guard, so no other process can have its pid. A stopped server (SIGSTOP)
 * is continued first.
 */
const guardScript = `
  trap '' HUP INT TERM
  exec 3<&0
  "$@" </dev/null >/dev/null 3<&- &
  server=$!
  echo "$server"
  { read -r _ <&3; kill -INT "$server"; kill -CONT "$server"; sleep 10; kill -QUIT "$server"; } >/dev/null 2>&1 &
  watcher=$!
  wait "$server"
  status=$?
  kill -KILL "$watcher"
  exit "$status"`;

/** Longer than the time that the guard allows the server to end, in milliseconds. */
const stopLimitMs = 20_000;

/** A server and its guard. */
export interface GuardedServer {
  /** The guard. It ends with the server, and forwards its error output. */
  server: ChildProcess;
  pid: number;
  exited: Promise<void>;
  /** Makes the guard shut the server down. */
  stop(): Promise<void>;
}

/**
 * Starts a server under a guard, both as `account`.
 * @throws OperatorError when it cannot be started.
 */
export async function startGuardedServer(
  program: string,
  parameters: string[],
  account: Account | undefined,
): Promise<GuardedServer> {
  const server = spawn('/bin/sh', ['-c', guardScript, 'vigil-guard', program, ...parameters], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    // Has a separate process group, so that Ctrl-C reaches only the supervisor, which stops its parts in order.
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    ...account,
  });
  server.stdin.on('error', () => undefined);
  const exited = waitForExit(server);
  const pid = await new Promise<number>((resolve, reject) => {
    server.stdout.once('data', (line: Buffer) => resolve(Number.parseInt(line.toString(), 10)));
    void exited.then(() => reject(new OperatorError('the embedded PostgreSQL cannot be started: no guard for it')));
  });

  async function stop(): Promise<void> {
    server.stdin.end();
    await withTimeLimit<unknown>(exited, stopLimitMs, () => undefined);
  }

  return { server, pid, exited, stop };
}
