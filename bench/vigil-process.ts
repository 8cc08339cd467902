import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A built Vigil process that a bench started. */
export interface VigilProcess {
  /** Its base URL. */
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** How a process is started. */
interface StartOptions {
  /** Time until it must be ready, in milliseconds. Default 60,000. */
  limitMs?: number;
  /** Whether its output appears in the error output. Default false. */
  isShown?: boolean;
  /** Whether it has a separate process group, so that an interrupt reaches only the bench. Default false. */
  detached?: boolean;
}

function whenReady(child: ChildProcess, name: string, limitMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${name} did not start in time`)), limitMs);
    child.once('exit', (code) => reject(new Error(`${name} ended with exit code ${code}`)));
    child.on('message', (message: { type?: string; url?: string | null }) => {
      if (message.type !== 'ready' || !message.url) return;
      clearTimeout(timer);
      resolve(message.url);
    });
  });
}

/** Starts `vigil ARGS` with only `env` in its environment. Rejects when it does not become ready. */
export async function startVigilProcess(
  args: string[],
  env: Record<string, string>,
  { limitMs = 60_000, isShown = false, detached = false }: StartOptions = {},
): Promise<VigilProcess> {
  const program = fileURLToPath(new URL('../services/vigil.js', import.meta.url));
  const child = fork(program, args, {
    env: { PATH: process.env.PATH, VIGIL_LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', isShown ? process.stderr : 'ignore', 'inherit', 'ipc'],
    detached,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  async function stop(): Promise<void> {
    child.kill('SIGTERM');
    await ended;
  }
  try {
    const url = await whenReady(child, args.join(' '), limitMs);
    return { url, pid: child.pid!, stop };
  } catch (error) {
    if (child.exitCode === null) await stop();
    throw error;
  }
}
