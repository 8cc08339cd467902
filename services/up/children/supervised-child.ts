import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { doublingPause, type Logger, OperatorError } from '#libs/domain';
import { configurationExitCode, type ReadyMessage, waitForExit, withTimeLimit } from '#libs/service-kit';
import { openLogFile } from './log-file.ts';

/** Destination of a child process's output. */
interface ChildLog {
  /** Kept as `<file>.1` whenever it exceeds 20 MB. */
  file: string;
  /** Receives human-readable lines that are not structured logs. */
  onText(line: string): void;
  /** Called with the number of lines that could not be written to the file. */
  onLost(lines: number): void;
}

export interface ChildOptions {
  /** First argument of the `vigil` command, such as `api`. */
  name: string;
  /** Path of the `vigil` program. */
  program: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
  /**
   * Maximum silence in milliseconds of a process that is not ready yet. A process that reports its missing dependencies
   * gets more time.
   */
  silenceLimitMs: number;
  logger: Logger;
  /** Called before each restart. After false, it is called again every second. */
  mayRestart(): Promise<boolean>;
  /** Human-readable lines of the child. */
  onText(line: string): void;
  /** Called with the number of lines that could not be written to `logFile`. */
  onLost(lines: number): void;
}

/** A supervised process. After a crash it is restarted with pauses that grow from 0.5 s to 30 s. */
export interface SupervisedChild {
  name: string;
  /** URL of the process. Null while it does not serve. */
  url: string | null;
  /** Sends SIGTERM, and SIGKILL after 20 s, and waits for the last lines of the log. The process is not restarted. */
  stop(): Promise<void>;
}

/** Exit code of a process that restarts on request. */
const restartExitCode = 10;
const stopGraceMs = 20_000;
/** Time for the last lines of a process that has ended. Its own children may hold its output open. */
const logGraceMs = 5_000;
const pauses = { firstMs: 500, longestMs: 30_000 };
const recheckMs = 1_000;
/** A child that lived this long is healthy, and resets the pause. */
const healthyAfterMs = 60_000;

/**
 * Starts a child and waits until it reports readiness.
 * @throws OperatorError when it ends before that (it has printed the reason) or prints nothing for too long.
 */
export async function startChild(options: ChildOptions): Promise<SupervisedChild> {
  const { name, logger } = options;
  let stopping = false;
  let ends = 0;
  let wakeFromPause: () => void = () => undefined;
  let current = await launch(options);
  const supervised: SupervisedChild = { name, url: current.url, stop };

  async function watch(): Promise<void> {
    while (!stopping) {
      const begin = performance.now();
      await waitForExit(current.child);
      if (stopping) return;
      if (performance.now() - begin > healthyAfterMs) ends = 0;
      const pauseMs = doublingPause(ends, pauses);
      logEnd(options, current.child, pauseMs);
      await pause(pauseMs);
      ends += 1;
      while (!stopping && !(await options.mayRestart())) {
        ends = 0;
        await pause(recheckMs);
      }
      if (stopping) return;
      logger.info({ child: name }, 'restarting process');
      await relaunch();
    }
  }

  async function relaunch(): Promise<void> {
    try {
      current = await launch(options);
      supervised.url = current.url;
      if (stopping) current.child.kill('SIGTERM');
    } catch (error) {
      logger.error({ child: name, error }, 'cannot restart process');
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeFromPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function stop(): Promise<void> {
    stopping = true;
    wakeFromPause();
    await endProcess(current.child);
    await Promise.all([watching, withTimeLimit(current.logged, logGraceMs, () => undefined)]);
  }

  const watching = watch();
  return supervised;
}

/** An end on request is normal. */
function logEnd({ logger, name }: ChildOptions, { exitCode, signalCode: signal }: ChildProcess, pauseMs: number): void {
  const isRequested = exitCode === 0 || exitCode === restartExitCode;
  logger[isRequested ? 'info' : 'warn']({ child: name, exitCode, signal, pauseMs }, 'process ended');
}

/** A process that is ready. */
interface Launched {
  child: ChildProcess;
  url: string | null;
  /** Resolves after its last line is in the log file. */
  logged: Promise<void>;
}

async function launch(options: ChildOptions): Promise<Launched> {
  const child = spawn(process.execPath, [options.program, options.name], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: options.env,
    // In a separate group, so that Ctrl-C reaches only the supervisor, which stops the processes in order.
    detached: true,
  });
  const log = { file: options.logFile, onText: options.onText, onLost: options.onLost };
  const logged = keepLog([child.stdout, child.stderr], log);
  try {
    return { child, url: await waitUntilReady(child, options), logged };
  } catch (error) {
    await endProcess(child);
    throw error;
  }
}

function waitUntilReady(child: ChildProcess, { name, silenceLimitMs, logFile }: ChildOptions): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => fail(`${name} is not ready and has printed nothing for ${silenceLimitMs / 1000} s; see ${logFile}`),
      silenceLimitMs,
    );
    const hear = () => void timer.refresh();
    const output = [child.stdout, child.stderr].filter((stream) => stream !== null);
    for (const stream of output) stream.on('data', hear);
    const settle = () => {
      clearTimeout(timer);
      for (const stream of output) stream.off('data', hear);
    };
    const fail = (text: string, options?: ConstructorParameters<typeof OperatorError>[1]) => {
      settle();
      reject(new OperatorError(text, options));
    };
    child.once('message', (message: ReadyMessage) => {
      settle();
      resolve(message.url);
    });
    child.once('error', (error) => fail(`${name} cannot be started: ${error.message}`, { cause: error }));
    child.once('exit', (exitCode, signal) =>
      fail(
        `${name} ended before it was ready (${signal ?? `exit code ${exitCode}`}); see ${logFile}`,
        // The child uses the configuration of the stack.
        exitCode === configurationExitCode ? { exitCode: 2 } : {},
      ),
    );
  });
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopGraceMs);
  await waitForExit(child);
  clearTimeout(timer);
}

/**
 * Writes the output of a child process to a file until the output ends. File errors do not affect the process.
 */
async function keepLog(streams: readonly (Readable | null)[], { file, onText, onLost }: ChildLog): Promise<void> {
  const sink = openLogFile(file, { onLost });
  const open = streams.flatMap((stream) => (stream ? [createInterface({ input: stream })] : []));
  const ends = open.map((lines) => {
    lines.on('line', (line) => {
      sink.write(line);
      if (!line.startsWith('{') && line.trim() !== '') onText(line);
    });
    return once(lines, 'close');
  });
  await Promise.all(ends);
  await sink.close();
}
