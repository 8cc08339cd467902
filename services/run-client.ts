import { describeStack, findRunningStack, onInterrupt } from '#libs/service-kit';
import { InterruptedError, type InterruptSignal } from './cli/errors.ts';
import { runCli } from './cli/main.ts';

/** Exit code of a program whose reader has gone (128 and the number of SIGPIPE). */
const brokenPipe = 141;

/**
 * Runs one command of the client with what belongs to this machine: signals, and the `vigil up` that runs here.
 * @returns the exit code, as `runCli`
 */
export async function runClient(argv: readonly string[]): Promise<number> {
  const ending = new AbortController();
  process.stdout.on('error', endWithReader);
  const giveBack = onInterrupt((signal) => ending.abort(new InterruptedError(signal as InterruptSignal)));
  try {
    return await runCli(argv, { signal: ending.signal, findStack });
  } finally {
    giveBack();
  }
}

/** Address of the API and login of a `vigil up` that runs here, said on standard error. Null when none runs. */
function findStack(): Record<string, string> | null {
  const stack = findRunningStack(process.env);
  if (stack === null) return null;
  process.stderr.write(`${describeStack(stack)}\n`);
  return { ...stack.env, ...stack.operatorEnv };
}

/** Ends without a word when the reader of the output has seen enough, such as `head`. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(brokenPipe);
}
