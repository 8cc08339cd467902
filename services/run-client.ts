import { describeStack, findRunningStack, onInterrupt } from '#libs/service-kit';
import { InterruptedError, type InterruptSignal } from './cli/errors.ts';
import { runCli } from './cli/main.ts';

/**
 * Runs one command of the client with what belongs to this machine: signals, and the `vigil up` that runs here.
 * @returns the exit code, as `runCli`
 */
export async function runClient(argv: readonly string[]): Promise<number> {
  const ending = new AbortController();
  const giveBack = onInterrupt((signal) => ending.abort(new InterruptedError(signal as InterruptSignal)));
  try {
    return await runCli(argv, { signal: ending.signal, findStack });
  } finally {
    giveBack();
  }
}

/** Address of the API and login of a `vigil up` that runs here, said on standard error; null when none runs. */
function findStack(): Record<string, string> | null {
  const stack = findRunningStack(process.env);
  if (stack === null) return null;
  process.stderr.write(`${describeStack(stack)}\n`);
  return { ...stack.env, ...stack.operatorEnv };
}
