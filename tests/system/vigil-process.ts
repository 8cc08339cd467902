import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** A `vigil` process of a test, from the compiled output. */
export interface VigilProcess {
  /** Its base URL. Null when it serves no HTTP. */
  url: string | null;
  pid: number;
  /** Resolves with the exit code when it ends for any reason. */
  ended: Promise<number | null>;
  /** Its output so far. */
  output(): string;
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>;
  /** SIGTERM (or another signal), and waits for the end. Returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The published form of the command: compiled, module by module. */
export const compiledProgram = resolve('dist/services/vigil.js');
const readyTimeoutMs = 120_000;

/** Only the variables of the test's environment that a process needs, so that a developer's OS_* do not leak in. */
function cleanEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, ...env };
}

/**
 * Path of the program that tests run as `vigil`: the bundle that the global setup has updated, else the compiled
 * command.
 */
export function vigilProgram(): string {
  return process.env.VIGIL_TEST_PROGRAM ?? compiledProgram;
}

/**
 * Starts a process and waits until it reports ready. Rejects with its output when it ends before.
 * @param program default `vigilProgram()`
 * @param onOutput receives all output. `output()` keeps only the last 200,000 characters.
 */
export async function startVigil(
  args: string[],
  env: NodeJS.ProcessEnv,
  program = vigilProgram(),
  onOutput: (chunk: string) => void = () => undefined,
): Promise<VigilProcess> {
  const child = spawn(process.execPath, [program, ...args], {
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const output = collect(child, onOutput);
  const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  const url = await new Promise<string | null>((done, fail) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(new Error(`vigil ${args.join(' ')} is not ready after ${readyTimeoutMs} ms:\n${output()}`));
    }, readyTimeoutMs);
    child.once('message', (message: { url: string | null }) => {
      clearTimeout(timer);
      done(message.url);
    });
    void exited.then((code) => {
      clearTimeout(timer);
      fail(new Error(`vigil ${args.join(' ')} ended with ${code}:\n${output()}`));
    });
  });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return exited;
  };
  return {
    url,
    pid: child.pid!,
    ended: exited,
    output,
    kill: async () => void (await end('SIGKILL')),
    stop: (signal = 'SIGTERM') => end(signal),
  };
}

/** Runs a command to its end. For commands that end without a signal. */
export async function runVigil(
  args: string[],
  env: NodeJS.ProcessEnv,
  timeoutMs = 120_000,
): Promise<{ exitCode: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [vigilProgram(), ...args], {
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const exitCode = await new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  clearTimeout(timer);
  return { exitCode, stdout, stderr };
}

function collect(child: ChildProcess, onOutput: (chunk: string) => void): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-200_000);
      onOutput(chunk);
    });
  return () => text;
}
